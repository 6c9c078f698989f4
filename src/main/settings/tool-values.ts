import path from 'node:path'
import { z } from 'zod'
import type { SettingFault } from '../../shared/model/settings'
import { type Located, type TomlFile, takeValue } from './toml'

/** What a configuration file says of tools; undefined where it says nothing, or nothing that can be used. */
export interface ToolValues {
  /** Nothing is offered to the model. */
  readonly noToolCalls?: Located<boolean> | undefined
  /** How far the model may go on by itself; 0 is without a limit. */
  readonly fuel?: Located<number> | undefined
  /**
   * Folders for the file tools, as written: absolute, or `~` and what follows it. Empty also where the value is not what
   * it must be: what was meant may have been less than what another file allows.
   */
  readonly allowedPaths?: Located<readonly string[]> | undefined
  /** The names of tools that are offered; all others are not. */
  readonly include?: Located<readonly string[]> | undefined
  /** The names of tools that are not offered. */
  readonly exclude?: Located<readonly string[]> | undefined
}

/** Takes what is said of tools out of a file; what is not what it must be becomes a fault, which does not quote it. */
export function toolValues(file: TomlFile, faults: SettingFault[]): ToolValues {
  const take = <T>(keys: readonly string[], schema: z.ZodType<T>, expected: string) =>
    takeValue(file, keys, schema, expected, faults)
  const takeNames = (keys: readonly string[]) => {
    const found = take(keys, z.array(z.unknown()), 'a list of texts')
    return found && usable(found, file.file, keys.join('.'), isName, 'a text', faults)
  }
  return {
    noToolCalls: take(['no_tool_calls'], z.boolean(), 'true or false'),
    fuel: take(['fuel'], z.int().min(0), 'a whole number of at least 0'),
    allowedPaths: takePaths(file, faults),
    include: takeNames(['tools', 'include']),
    exclude: takeNames(['tools', 'exclude']),
  }
}

const pathsKey = 'file_tools_allowed_paths'

function takePaths(file: TomlFile, faults: SettingFault[]): Located<readonly string[]> | undefined {
  if (file.root[pathsKey] === undefined) return undefined
  const found = takeValue(file, [pathsKey], z.array(z.unknown()), 'a list of folders', faults)
  if (found === undefined) return { value: [] }
  const expected = 'an absolute path, or one that begins with ~/'
  return usable(found, file.file, pathsKey, isFolder, expected, faults)
}

/** Leaves out of a list what cannot be used, each with a fault. */
function usable(
  { value, line }: Located<readonly unknown[]>,
  file: string,
  key: string,
  isUsable: (item: unknown) => item is string,
  expected: string,
  faults: SettingFault[],
): Located<readonly string[]> {
  const where = line === undefined ? {} : { line }
  for (const [index, item] of value.entries()) {
    if (isUsable(item)) continue
    const message = `Item ${index + 1} of ${key} must be ${expected}; it is not used.`
    faults.push({ file, ...where, key, message })
  }
  return { value: value.filter(isUsable).map((item) => item.trim()), ...where }
}

function isName(item: unknown): item is string {
  return typeof item === 'string' && item.trim() !== ''
}

function isFolder(item: unknown): item is string {
  if (!isName(item) || item.includes('\0')) return false
  return path.isAbsolute(item.trim()) || /^~($|[/\\])/.test(item.trim())
}
