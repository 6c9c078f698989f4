import { DiskError } from '../../main/disk/interface/disk'
import type { Home, HomeEvents } from '../../main/home/home'
import { openHome } from '../../main/home/open-home'
import type { Plugins } from '../../main/plugins/plugins'
import type { Settings } from '../../main/settings/settings'
import { skeinFolder } from '../../main/settings/user-folders'
import { type Root, UsageError } from '../command/arguments'
import type { CommandContext } from '../command/command'
import { pluginsAt } from './home-plugins'
import { lastContextOf } from './last-context'
import { cacheFolder, contextLengths, settingsAt } from './named-homes'

type From = Pick<CommandContext, 'args' | 'disk' | 'environment' | 'output'>

/** A home that the command line names, with its settings. */
export interface NamedHome {
  readonly home: Home
  readonly settings: Settings
}

/** How a home is opened otherwise than usual. */
interface HomeOptions {
  /** Whose tools and hooks its runs have; nobody's where it is absent. */
  readonly plugins?: Plugins | undefined
  /** The settings, where they are open already. */
  readonly settings?: Settings | undefined
  readonly events?: Partial<HomeEvents> | undefined
}

/** Returns the root of the home that a command writes to. @throws UsageError with `words`, where there is none */
export function writableRoot({ args }: Pick<CommandContext, 'args'>, words: string): Root {
  const root = args.roots.find((one) => one.writable)
  if (root === undefined) throw new UsageError(words)
  return root
}

/** Opens a home for a command, gives it to `work`, and closes it. Without plugins: what only reads starts none. */
export async function withHome<T>(
  { args, disk, environment, output }: From,
  root: Root,
  work: (opened: NamedHome) => Promise<T>,
  { plugins, settings = settingsAt(root, disk, environment), events = {} }: HomeOptions = {},
): Promise<T> {
  const userFolder = skeinFolder(environment)
  const home = openHome({
    disk,
    home: root.path,
    roots: [],
    userFolder,
    cacheFolder: cacheFolder(args, environment),
    settings,
    isFollowed: false,
    isVerbose: args.flags.verbose === true,
    contextBefore: () => lastContextOf(disk, userFolder, root.path).read(),
    contextLength: contextLengths(args, disk, environment),
    ...(plugins === undefined
      ? {}
      : { hooks: plugins.hooks, moreTools: (_, signal) => plugins.tools(signal) }),
    events,
    note: (words) => output.say(words),
  })
  try {
    return await work({ home, settings })
  } finally {
    await home.close()
  }
}

/** Work of a command in a home that it writes to. */
interface Visit extends Omit<HomeOptions, 'plugins'> {
  /** The context that the command acts on. */
  readonly context: string
  /** Name of it at the end, where the command renames it. */
  readonly renamed?: string | undefined
}

/**
 * Opens a home with its trusted plugins, runs `work` in it, and closes it. Plugins' hooks are called at the command's begin
 * (`on_start`), of a context that is another than that of the command before (`on_context_switch`), and of its end (`on_end`).
 */
export async function withVisit<T>(
  from: From & Pick<CommandContext, 'signal'>,
  root: Root,
  { context, renamed = context, ...options }: Visit,
  act: (opened: NamedHome) => Promise<T>,
): Promise<T> {
  const { disk, environment, output, signal } = from
  const verbose = from.args.flags.verbose === true
  const plugins = pluginsAt(root.path, disk, environment, output.say, verbose)
  try {
    return await withHome(
      from,
      root,
      async (opened) => {
        await opened.home.enter(context, signal)
        const done = await act(opened)
        if (plugins.hooks.hears('on_context_switch'))
          await lastContextOf(disk, skeinFolder(environment), root.path)
            .keep(renamed)
            .catch((error: unknown) => {
              if (!(error instanceof DiskError)) throw error
              output.say(`Which context this was could not be kept: ${error.message}.`)
            })
        return done
      },
      { ...options, plugins },
    )
  } finally {
    await plugins.close()
  }
}
