import os from 'node:os'
import path from 'node:path'
import { effectiveValues, type SettingLayer } from './layers'

/** The settings of a context for tools. */
export interface ToolSettings {
  /** No tool is offered to the model. */
  readonly noToolCalls: boolean
  /** The fuel of a run; 0 is without a limit. */
  readonly fuel: number
  /** Absolute folders for the file tools, the first one first; they need not exist. */
  readonly allowedPaths: readonly string[]
  /** Returns true where a tool of this name is offered at all. */
  allows(tool: string): boolean
}

/** The tools of ours that chibi (0.9) counts to a category; `agent` has none of them. */
const toolsOfCategories = {
  builtin: [
    'update_todos',
    'update_goals',
    'update_reflection',
    'send_message',
    'call_user',
    'call_agent',
  ],
  file: ['file_head', 'file_tail', 'file_lines', 'file_grep', 'write_file'],
  coding: ['dir_list', 'glob_files', 'grep_files'],
} as const

/**
 * Returns a context's settings for tools. The first layer with a value holds; the names that layers exclude add up.
 *
 * @param userFolder what `~` stands for
 */
export function toolSettings(
  layers: readonly SettingLayer[],
  userFolder: string = os.homedir(),
): ToolSettings {
  const used = effectiveValues(layers)
  const paths = used.file_tools_allowed_paths?.value ?? []
  const include = used['tools.include']?.value
  const all = (key: 'tools.exclude' | 'tools.exclude_categories') =>
    layers.flatMap(({ plain }) => plain[key]?.value ?? [])
  const categories = all('tools.exclude_categories')
  const excluded = new Set([
    ...all('tools.exclude'),
    ...Object.entries(toolsOfCategories)
      .filter(([category]) => categories.includes(category))
      .flatMap(([, tools]) => tools),
  ])
  return {
    noToolCalls: used.no_tool_calls.value,
    fuel: used.fuel.value,
    allowedPaths: [...new Set(paths.map((one) => expandUserFolder(one, userFolder)))],
    allows: (tool) => !excluded.has(tool) && (include === undefined || include.includes(tool)),
  }
}

/** Expands `~` in an allowed folder to the person's own folder. */
export function expandUserFolder(folder: string, userFolder: string = os.homedir()): string {
  return folder.startsWith('~') ? path.join(userFolder, folder.slice(1)) : path.normalize(folder)
}
