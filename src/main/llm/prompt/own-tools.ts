import type { RunSettings } from '../../settings/config/run-settings'
import type { Tool, ToolDefinition } from '../../tools/base/tool'
import { type BuiltInDeps, builtInTools } from '../../tools/index'

/** The tools of Skein's own that a run has by its settings, before they leave out any by name. */
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

/** chibi's remark on the tool that words alone stand for. */
export function asFallback<T extends Pick<ToolDefinition, 'description'>>(tool: T): T {
  return {
    ...tool,
    description: `${tool.description} Called automatically if no other tool is used.`,
  }
}
