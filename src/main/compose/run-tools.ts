import type { Disk } from '../disk/disk'
import type { Settings } from '../settings/settings'
import { builtInTools } from '../tools/index'
import type { Tool } from '../tools/tool'

export interface RunToolsDeps {
  readonly disk: Disk
  /** The chibi home; absolute. */
  readonly home: string
  readonly settings: Pick<Settings, 'toolSettings'>
}

/** What a run in a context may call, and how far it may go on by itself. */
export interface RunTools {
  readonly tools: readonly Tool[]
  /** 0 is without a limit. */
  readonly fuel: number
}

/**
 * Chooses the tools of a run by the home's config.toml and the context's local.toml, as they are on the disk when it is
 * asked for. Without an allowed folder there are no file tools; with `no_tool_calls` there are none at all.
 */
export function runTools(deps: RunToolsDeps): (context: string) => Promise<RunTools> {
  const { disk, home, settings } = deps
  return async (context) => {
    const { noToolCalls, fuel, allowedPaths, allows } = await settings.toolSettings(context)
    const tools = noToolCalls ? [] : builtInTools({ disk, home, context, allowedPaths })
    return { tools: tools.filter(({ name }) => allows(name)), fuel }
  }
}
