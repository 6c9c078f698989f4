import { DiskError } from '../../main/disk/interface/disk'
import type { Plugins } from '../../main/plugins/plugins'
import type { Settings } from '../../main/settings/settings'
import { skeinFolder } from '../../main/settings/user-folders'
import type { Store } from '../../main/store/store'
import { type Lifecycle, openLifecycle } from '../../main/tools/hooks/lifecycle'
import { contextNameFault } from '../../shared/model/conversation/conversation'
import type { CommandContext } from '../command/command'
import { pluginsAt } from './home-plugins'
import { lastContextOf } from './last-context'

/** Plugins and settings of a home that a command writes to. */
export interface Visit {
  readonly plugins: Plugins
  readonly lifecycle: Lifecycle
  readonly settings: Settings
}

interface Visited {
  readonly store: Pick<Store, 'home'>
  readonly settings: Settings
  /** The context that the command acts on. */
  readonly context: string
  /** Name of it at the end, where the command renames it. */
  readonly renamed?: string | undefined
}

/**
 * Does what a command does in a home that it writes to. Plugins hear of its begin (`on_start`), of a context that is another
 * than that of the command before (`on_context_switch`), and of its end (`on_end`).
 */
export async function withVisit<T>(
  from: Pick<CommandContext, 'args' | 'disk' | 'environment' | 'output' | 'signal'>,
  { store, settings, context, renamed = context }: Visited,
  act: (visit: Visit) => Promise<T>,
): Promise<T> {
  const { disk, environment, output, signal } = from
  const { home } = store
  const verbose = from.args.flags.verbose === true
  const plugins = pluginsAt(home, disk, environment, output.say, verbose)
  const last = lastContextOf(disk, skeinFolder(environment), home)
  const lifecycle = openLifecycle({
    hooks: plugins.hooks,
    async facts(_, halt) {
      // A name that no context can have leads to no file.
      const isName = contextNameFault(context) === undefined
      const { allowedPaths } = await settings.runSettings(isName ? context : undefined)
      return {
        chibi_home: home,
        project_root: allowedPaths[0] ?? home,
        tool_count: (await plugins.tools(halt)).length,
        current_context: context,
        verbose,
      }
    },
    before: () => last.read(),
  })
  try {
    await lifecycle.enter(context, signal)
    const done = await act({ plugins, lifecycle, settings })
    if (plugins.hooks.hears('on_context_switch'))
      await last.keep(renamed).catch((error: unknown) => {
        if (!(error instanceof DiskError)) throw error
        output.say(`Which context this was could not be kept: ${error.message}.`)
      })
    return done
  } finally {
    await lifecycle.end()
    await plugins.close()
  }
}
