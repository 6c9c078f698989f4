import os from 'node:os'
import path from 'node:path'
import type { HomeConfig } from './home-config'

/** What a run in a context may do by tools. */
export interface ToolSettings {
  /** Nothing is offered to the model. */
  readonly noToolCalls: boolean
  /** How far the model may go on by itself; 0 is without a limit. */
  readonly fuel: number
  /** Absolute folders for the file tools, the first one first; they need not exist. */
  readonly allowedPaths: readonly string[]
  /** Whether a tool of this name is offered at all. */
  allows(tool: string): boolean
}

/** chibi's default (0.7 to 0.10). */
const defaultFuel = 30

/**
 * What holds in a context: local.toml over config.toml, value by value; names that are excluded are so by either.
 *
 * @param userFolder what `~` stands for
 */
export function toolSettings(
  config: HomeConfig,
  local?: HomeConfig,
  userFolder: string = os.homedir(),
): ToolSettings {
  const above = local?.tools ?? {}
  const below = config.tools
  const paths = above.allowedPaths ?? below.allowedPaths
  const include = above.include ?? below.include
  const excluded = new Set([...(below.exclude?.value ?? []), ...(above.exclude?.value ?? [])])
  return {
    noToolCalls: (above.noToolCalls ?? below.noToolCalls)?.value ?? false,
    fuel: (above.fuel ?? below.fuel)?.value ?? defaultFuel,
    allowedPaths: [...new Set((paths?.value ?? []).map((one) => expanded(one, userFolder)))],
    allows: (tool) =>
      !excluded.has(tool) && (include === undefined || include.value.includes(tool)),
  }
}

function expanded(folder: string, userFolder: string): string {
  return folder.startsWith('~') ? path.join(userFolder, folder.slice(1)) : path.normalize(folder)
}
