import path from 'node:path'
import { z } from 'zod'
import type { SettingFault } from '../../../shared/model/settings/settings'
import type { Disk } from '../../disk/interface/disk'
import { shownAddress } from '../base/base-url'
import { type Secret, secret } from '../base/secret'
import {
  type Located,
  parseToml,
  readToml,
  type TomlFile,
  takeTomlValue,
  tomlLineOf,
  tomlValueAt,
} from '../toml/toml'
import type { ApiValues, PlainValues } from './key-table'
import { type ModelTables, modelTables } from './model-tables'
import { readApiValues, readPlainValues } from './read-values'

/**
 * The settings that Skein uses of chibi's config.toml or of a context's local.toml; other keys are chibi's alone.
 *
 * An empty text counts as absent. Values of a wrong type are faults, and absent.
 */
export interface HomeConfig {
  /** As `where` names it: `config.toml` or `local.toml`. */
  readonly shown: 'config.toml' | 'local.toml'
  /** The file exists and nothing of it can be used: its values are unknown. */
  readonly broken?: SettingFault
  readonly model?: Located<string>
  /** As written. */
  readonly baseUrl?: Located<string>
  readonly apiKey?: Located<Secret>
  readonly username?: Located<string>
  /** All keys of the table but those below. */
  readonly plain: PlainValues
  /** `[api]`. */
  readonly api: ApiValues
  /** `[models."ID".api]`. */
  readonly models: ModelTables
  readonly faults: readonly SettingFault[]
}

/** Reads `<home>/config.toml`. Never throws. */
export async function readHomeConfig(disk: Disk, home: string): Promise<HomeConfig> {
  const file = await readToml(disk, path.join(home, 'config.toml'), 'config.toml')
  return parseHomeConfig(file, 'config.toml')
}

/** Reads `<home>/contexts/<context>/local.toml`; nothing for a name that no context can have. Never throws. */
export async function readContextConfig(
  disk: Disk,
  home: string,
  context: string,
): Promise<HomeConfig> {
  const shown = `contexts/${context}/local.toml`
  const folder = contextFolder(home, context)
  return parseHomeConfig(
    folder === undefined
      ? parseToml('', shown)
      : await readToml(disk, path.join(folder, 'local.toml'), shown),
    'local.toml',
  )
}

/** Returns a context's folder, which need not exist; undefined for a name that no context can have. */
export function contextFolder(home: string, context: string | undefined): string | undefined {
  return context !== undefined && /^[A-Za-z0-9_-]{1,255}$/.test(context)
    ? path.join(home, 'contexts', context)
    : undefined
}

/**
 * Returns a file's value for a key of the table, such as `fuel` or `api.temperature`; of an address the part that
 * may be shown.
 */
export function valueInFile(config: HomeConfig, key: string): Located<unknown> | undefined {
  const { model, baseUrl, username, plain, api } = config
  const values: Readonly<Record<string, Located<unknown> | undefined>> = key.startsWith('api.')
    ? api
    : {
        ...plain,
        model,
        base_url: baseUrl && { ...baseUrl, value: shownAddress(baseUrl.value) },
        username,
      }
  const name = key.replace(/^api\./, '')
  return Object.hasOwn(values, name) ? values[name] : undefined
}

/** Parses the settings that Skein uses in a file. */
export function parseHomeConfig(file: TomlFile, shown: HomeConfig['shown']): HomeConfig {
  const faults: SettingFault[] = file.broken === undefined ? [] : [file.broken]
  const key = takeTomlValue(file, ['api_key'], z.string().trim(), 'text', faults)
  const place = shown === 'config.toml' ? 'config' : 'local'
  const { model, base_url: baseUrl, username, ...plain } = readPlainValues(file, place, faults)
  faults.push(...replacedKeys(file))
  return {
    shown,
    ...(file.broken === undefined ? {} : { broken: file.broken }),
    ...(model === undefined ? {} : { model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(username === undefined ? {} : { username }),
    ...(key === undefined || key.value === ''
      ? {}
      : { apiKey: { ...key, value: secret(key.value) } }),
    // A context's broken file may have allowed less than the home does.
    plain:
      file.broken !== undefined && shown === 'local.toml'
        ? { ...plain, file_tools_allowed_paths: { value: [] } }
        : plain,
    api: readApiValues(file, ['api'], faults),
    models: modelTables(file, faults),
    // In the order of the file, in which a person mends them.
    faults: faults.sort((a, b) => (a.line ?? 0) - (b.line ?? 0)),
  }
}

/** Finds keys of older chibis that another key has replaced; the fault names that key. */
function replacedKeys(file: TomlFile): readonly SettingFault[] {
  const key = 'max_recursion_depth'
  if (tomlValueAt(file.root, [key]) === undefined) return []
  const line = tomlLineOf(file, [key])
  const message = `${key} is not used: since chibi 0.7 \`fuel\` is the number of rounds that the model may continue by itself.`
  return [{ file: file.file, ...(line === undefined ? {} : { line }), key, message }]
}
