import type { RunSettings } from '../../settings/config/run-settings'
import type { Tool, ToolDefinition } from '../../tools/base/tool'
import { type BuiltInDeps, builtInTools } from '../../tools/index'

/** Returns Skein's own tools for a run's settings, before any is left out by name. */
export function ownTools({
  settings,
  ...place
}: Pick<
  BuiltInDeps,
  'disk' | 'home' | 'context' | 'hooks' | 'now' | 'ownFolders' | 'createContext'
> & {
  readonly settings: Pick<
    RunSettings,
    'allowedPaths' | 'reflectionEnabled' | 'reflectionCharacterLimit'
  >
}): readonly Tool[] {
  return builtInTools({
    ...place,
    allowedPaths: settings.allowedPaths,
    reflection: settings.reflectionEnabled,
    reflectionLimitBytes: settings.reflectionCharacterLimit,
  })
}

/** Adds chibi's remark to the tool that is called automatically where the model calls none. */
export function asFallback<T extends Pick<ToolDefinition, 'description'>>(tool: T): T {
  return {
    ...tool,
    description: `${tool.description} Called automatically if no other tool is used.`,
  }
}
