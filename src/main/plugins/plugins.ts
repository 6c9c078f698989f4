import os from 'node:os'
import path from 'node:path'
import { AppError } from '../../shared/model/basics/errors'
import type { PluginLook, PluginRun, PluginsView } from '../../shared/model/settings/plugins'
import { type Disk, DiskError } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import { nodeDisk } from '../disk/node/node-disk'
import { removeAbandoned } from '../disk/process/private-folder'
import type { Tool } from '../tools/base/tool'
import { type Hooks, noHooks } from '../tools/hooks/hooks'
import { PluginContentError } from './content'
import { pluginEnvironment } from './environment'
import { type ProgramEnvironment, safeSearchPath } from './interpreter'
import { type KnownPlugin, knownPlugins } from './known-plugins'
import { listOfferedTools, type PluginSchema } from './offered-plugin-tools'
import { orOnAbort } from './or-on-abort'
import { pluginHooks } from './plugin-hooks'
import { viewOf } from './plugin-view'
import { pluginsFolderOf, previewPlugin } from './preview-plugin'
import type { ProgramLimits } from './program'
import { pluginTool } from './protocol'
import { runLog } from './run-log'
import { openRunner } from './runner'
import { openSchemaCache } from './schema-cache'
import { type TrustKeeper, trustKeeper } from './trust'
import { copyTrustedPlugin, type TrustedCopy } from './trusted-copy'

/** Everything that the plugins of a home need. */
export interface PluginsDeps {
  /** The real disk where not given. Not one that unpacks: what is hashed must be what is run. */
  readonly disk?: Disk
  /** The chibi home; absolute. */
  readonly home: string
  /** Skein's own folder of the user, which keeps the trust; need not exist. */
  readonly userFolder: string
  /** The environment in which Skein was started; plugins get a part of it. */
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where plugins run; the user's own folder where not given. */
  readonly folder?: string
  /** Tools that a plugin cannot take the place of. */
  readonly builtInNames: readonly string[]
  noted?(event: PluginEvent): void
  readonly limits?: Partial<ProgramLimits>
  readonly platform?: NodeJS.Platform
}

/** An event of a home's plugins. */
export type PluginEvent =
  /** `list` has another result now. */
  | { readonly type: 'changed' }
  /** One was run, well or not. */
  | { readonly type: 'ran'; readonly plugin: string; readonly run: PluginRun }
  | {
      readonly type: 'failed'
      readonly plugin: string
      /** "--schema", "tool weather", "hook pre_message". */
      readonly asked: string
      /** The failure, in words that follow its name: "ended with exit code 3". */
      readonly problem: string
    }

/** The plugins of one home. No code of one runs before a person has trusted its exact content. */
export interface Plugins {
  /**
   * Lists them as they are on the disk now. Asks trusted ones for their schemas, and does not wait for that. @throws
   * AppError `io`
   */
  list(): Promise<PluginsView>
  /** Reads the content that would be trusted. @throws AppError `not-found`, `unreadable` */
  look(name: string): Promise<PluginLook>
  /**
   * @throws AppError `not-found`, `unreadable`, `bad-argument` where it is no longer what was seen, `io`, `disk-full`
   */
  trust(name: string, hash: string): Promise<void>
  /** Also ends its runs. @throws AppError `io`, `disk-full` */
  distrust(name: string): Promise<void>
  /** Forgets the schema of a trusted one, so that it is asked again. */
  askAgain(name: string): void
  /**
   * The tools of trusted plugins, as they are on the disk now; waits for those that were never asked. Never rejects.
   */
  tools(signal?: AbortSignal): Promise<readonly Tool[]>
  /** Returns the tools of plugins that were asked before, as they were found last; asks none and reads nothing. */
  knownTools(): readonly Tool[]
  readonly hooks: Hooks
  /** Ends everything that runs, and resolves when nothing does. */
  close(): Promise<void>
}

const usualLimits: ProgramLimits = {
  timeoutMs: 30_000, // chibi's, since 0.9.2.
  stdoutBytes: 10 * 1024 * 1024,
  stderrBytes: 64 * 1024,
  graceMs: 2_000,
  lingerMs: 1_000,
}

const notOnWindows =
  'Plugins are not run on Windows: chibi’s are scripts with a first line that names their interpreter, which Windows does not follow.'

/** Returns the plugins of a home, and removes the copies that a killed process left. Runs no plugin yet. */
export function openPlugins(deps: PluginsDeps): Plugins {
  const { home, userFolder, builtInNames, disk = nodeDisk } = deps
  const folder = pluginsFolderOf(home)
  const canRun = (deps.platform ?? process.platform) !== 'win32'
  const log = runLog()
  const noted = (event: PluginEvent) => deps.noted?.(event)
  const runFolder = deps.folder ?? os.homedir()
  const environment = pluginEnvironment(deps.environment, home)
  const copies = path.join(userFolder, 'plugin-copies')
  // Removes the copies that a killed process left.
  const swept = canRun ? removeAbandoned(copies) : undefined
  let keeper: Promise<TrustKeeper> | undefined
  /** The items as they were found last. */
  let known: readonly KnownPlugin[] | undefined

  const runner = openRunner({
    folder: runFolder,
    limits: { ...usualLimits, ...deps.limits },
    take,
    ran(plugin, run) {
      log.add(plugin, run)
      const { asked, problem } = run
      noted({ type: 'ran', plugin, run })
      if (problem !== null) noted({ type: 'failed', plugin, asked, problem })
      noted({ type: 'changed' })
    },
  })
  const schemas = openSchemaCache(runner, () => noted({ type: 'changed' }))

  function trust(): Promise<TrustKeeper> {
    // Links followed, so that a home is one however it is opened.
    keeper ??= disk.realPath(home).then(
      (real) => trustKeeper(disk, userFolder, real),
      () => trustKeeper(disk, userFolder, path.resolve(home)),
    )
    return keeper
  }

  /** Returns the environment as it is now. Guarded are the home and its plugins folder, with links followed. */
  async function surroundings(): Promise<ProgramEnvironment> {
    const real = (target: string) => disk.realPath(target).catch(() => path.resolve(target))
    const guarded = [...new Set([await real(home), await real(folder)])]
    const searchPath = await safeSearchPath(deps.environment.PATH, guarded)
    return { disk, guarded, folder: runFolder, searchPath }
  }

  async function take(name: string): Promise<TrustedCopy | string> {
    if (!canRun) return 'is not run on Windows'
    const around = await surroundings()
    const taken = await copyTrustedPlugin(
      around,
      folder,
      name,
      await (await trust()).read(),
      copies,
    )
    if (typeof taken === 'string') return taken
    const own = { ...environment, PATH: around.searchPath, ...taken.environment }
    return { ...taken, environment: own }
  }

  /** Finds a plugin that is in the folder now: its name comes from a window, and becomes no path before that. */
  async function named(name: string): Promise<KnownPlugin> {
    const found = (await lookAround()).find((plugin) => plugin.name === name)
    if (found === undefined) throw new AppError('not-found', `The plugin ${name} no longer exists.`)
    return found
  }

  async function lookAround(): Promise<readonly KnownPlugin[]> {
    try {
      known = await knownPlugins(await surroundings(), folder, await (await trust()).read())
      return known
    } catch (error) {
      if (error instanceof DiskError)
        throw new AppError('io', `${error.message}.`, { cause: error })
      throw error
    }
  }

  function trusted(): readonly { readonly name: string; readonly hash: string }[] {
    return (known ?? []).flatMap(({ name, state, content }) =>
      canRun && state === 'trusted' && content !== undefined ? [{ name, hash: content.hash }] : [],
    )
  }

  /**
   * Resolves to the schemas of trusted plugins, in their order, once all have answered; to none once the signal
   * aborts.
   */
  async function trustedSchemas(signal: AbortSignal | undefined): Promise<readonly PluginSchema[]> {
    const asked = Promise.all(
      trusted().map(async ({ name, hash }) => {
        const schema = await schemas.of(name, hash)
        return typeof schema === 'string' ? [] : [{ plugin: name, schema }]
      }),
    )
    return (await orOnAbort<readonly (readonly PluginSchema[])[]>(asked, [], signal)).flat()
  }

  function toolsIn(offered: readonly PluginSchema[]): readonly Tool[] {
    return listOfferedTools(offered, builtInNames).flatMap(({ plugin, schema, problem }) =>
      problem === undefined ? [pluginTool(runner, plugin, schema)] : [],
    )
  }

  const hooks: Hooks = pluginHooks({
    runner,
    mayHear: (point) =>
      known === undefined ||
      trusted().some(({ name, hash }) => {
        const schema = schemas.now(name, hash)
        return schema === undefined || (typeof schema !== 'string' && schema.hooks.includes(point))
      }),
    async listeners(point, signal) {
      if (known === undefined) await lookAround().catch(() => {})
      return (await trustedSchemas(signal))
        .filter(({ schema }) => schema.hooks.includes(point))
        .map(({ plugin }) => plugin)
    },
  })

  return {
    async list() {
      const all = await lookAround()
      for (const { name, hash } of trusted()) void schemas.of(name, hash)
      const { problem } = await (await trust()).read()
      return {
        folder: shownPath(folder),
        canRun,
        problem: canRun ? (problem ?? null) : notOnWindows,
        plugins: viewOf(all, { schemas, log, builtInNames }),
      }
    },

    async look(name) {
      const { place, why } = await named(name)
      if (place === undefined) throw unreadable(name, why)
      try {
        return await previewPlugin(disk, place)
      } catch (error) {
        if (error instanceof PluginContentError || error instanceof DiskError)
          throw unreadable(name, error.message)
        throw error
      }
    },

    async trust(name, hash) {
      const { content, why } = await named(name)
      if (content === undefined) throw unreadable(name, why)
      if (content.hash !== hash)
        throw new AppError(
          'bad-argument',
          `${name} changed after you reviewed it, so it is not trusted. Review it again.`,
        )
      await written(async () => (await trust()).trust(name, hash))
      schemas.forget(name)
      await lookAround()
      noted({ type: 'changed' })
    },

    async distrust(name) {
      await written(async () => (await trust()).distrust(name))
      runner.stop(name)
      schemas.forget(name)
      await lookAround()
      noted({ type: 'changed' })
    },

    askAgain: (name) => schemas.forget(name),

    async tools(signal) {
      await lookAround().catch(() => {
        known = [] // `list` reports the failure; a run continues without plugins.
      })
      return toolsIn(await trustedSchemas(signal))
    },

    knownTools() {
      const asked = trusted().map(({ name, hash }) => {
        const schema = schemas.now(name, hash)
        return schema === undefined || typeof schema === 'string' ? [] : [{ plugin: name, schema }]
      })
      return toolsIn(asked.flat())
    },

    hooks: canRun ? hooks : noHooks,
    async close() {
      await runner.close()
      await swept
    },
  }
}

async function written(write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    const code = error.code === 'no-space' ? 'disk-full' : 'io'
    throw new AppError(code, `Your trusted plugins could not be saved: ${error.message}.`, {
      cause: error,
    })
  }
}

function unreadable(name: string, why: string | undefined): AppError {
  return new AppError('unreadable', `${name} cannot be trusted. ${why ?? 'It is disabled.'}`)
}
