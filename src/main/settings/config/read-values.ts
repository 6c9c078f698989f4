import { z } from 'zod'
import type { SettingFault } from '../../../shared/model/settings/settings'
import {
  formatTomlKey,
  type Located,
  type TomlFile,
  takeTomlValue,
  tomlValueAt,
} from '../toml/toml'
import { apiTable } from './api-table'
import type { KeySpec } from './key-spec'
import type { ApiValues, PlainValues } from './key-table'
import { plainTable } from './plain-table'

/**
 * Reads all keys but those of the `api` tables from a file. A value of a wrong type becomes a fault, which does
 * not quote it, and is absent; an empty text is absent too.
 *
 * A list of folders that is none is an empty list: what was meant may have been less than what another file allows.
 */
export function readPlainValues(
  file: TomlFile,
  place: 'config' | 'local',
  faults: SettingFault[],
): PlainValues {
  const allowed = Object.entries(plainTable).filter(
    ([, spec]) => place === 'config' || spec.place === 'both',
  )
  return taken(file, [], allowed, faults)
}

/** Takes the parameters of a request out of the table at `at`: `['api']`, `['models', ID, 'api']`. */
export function readApiValues(
  file: TomlFile,
  at: readonly string[],
  faults: SettingFault[],
): ApiValues {
  const values: ApiValues = taken(file, at, Object.entries(apiTable), faults)
  const { 'reasoning.effort': effort, 'reasoning.max_tokens': budget, ...others } = values
  if (effort === undefined || budget === undefined) return values
  const where = effort.line === undefined ? {} : { line: effort.line }
  const key = formatTomlKey([...at, 'reasoning', 'effort'])
  const message = `${key} and a budget (max_tokens) are both set; the budget is used.`
  faults.push({ file: file.file, ...where, key, message })
  return { ...others, 'reasoning.max_tokens': budget }
}

/** The caller's type says which keys there are, and each value passed its key's schema. */
function taken<T extends object>(
  file: TomlFile,
  at: readonly string[],
  specs: readonly (readonly [string, KeySpec<unknown>])[],
  faults: SettingFault[],
): T {
  const paths = specs.map(([key, spec]) => ({ key, spec, path: [...at, ...key.split('.')] }))
  const tables = new Set(paths.map(({ path }) => JSON.stringify(path.slice(0, -1))))
  for (const table of tables)
    mustBeTable(file, z.array(z.string()).parse(JSON.parse(table)), faults)
  const found = paths.flatMap(({ key, spec, path }) => {
    const value =
      spec.kind === 'list' ? takeList(file, path, spec, faults) : takeOne(file, path, spec, faults)
    return value === undefined ? [] : [[key, value] as const]
  })
  // A cast because entries lose their types: the keys are those of the table, the values what its schemas gave.
  return Object.fromEntries(found) as T
}

/** Adds a fault where another value is in a table's place; none of its keys is found then. */
function mustBeTable(file: TomlFile, path: readonly string[], faults: SettingFault[]): void {
  if (path.length > 0)
    takeTomlValue(file, path, z.record(z.string(), z.unknown()), 'a table', faults)
}

function takeOne(
  file: TomlFile,
  path: readonly string[],
  spec: KeySpec<unknown>,
  faults: SettingFault[],
): Located<unknown> | undefined {
  // chibi's own example files hold empty texts for what is not set.
  const value = tomlValueAt(file.root, path)
  if (spec.kind === 'text' && typeof value === 'string' && value.trim() === '') return undefined
  return takeTomlValue(file, path, spec.schema, spec.expected, faults)
}

function takeList(
  file: TomlFile,
  path: readonly string[],
  spec: KeySpec<unknown>,
  faults: SettingFault[],
): Located<readonly string[]> | undefined {
  if (tomlValueAt(file.root, path) === undefined) return undefined
  const found = takeTomlValue(file, path, z.array(z.unknown()), spec.expected, faults)
  if (found === undefined) return path[0] === 'file_tools_allowed_paths' ? { value: [] } : undefined
  const where = found.line === undefined ? {} : { line: found.line }
  const { item: check } = spec
  const usable: string[] = []
  for (const [index, item] of found.value.entries())
    if (typeof item === 'string' && check?.isUsable(item)) usable.push(item.trim())
    else {
      const key = formatTomlKey(path)
      const message = `Item ${index + 1} of ${key} must be ${check?.expected}; it is not used.`
      faults.push({ file: file.file, ...where, key, message })
    }
  return { value: usable, ...where }
}
