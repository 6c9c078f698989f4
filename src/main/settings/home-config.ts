import path from 'node:path'
import { z } from 'zod'
import type { SettingFault } from '../../shared/model/settings'
import type { Disk } from '../disk/disk'
import { type Secret, secret } from './secret'
import { type Located, readToml, type TomlFile, takeValue } from './toml'
import { type ToolValues, toolValues } from './tool-values'

/**
 * What Skein uses of chibi's config.toml or of a context's local.toml; other keys are chibi's alone.
 *
 * An empty text counts as absent. Values that are not what they must be are faults, and absent.
 */
export interface HomeConfig {
  /** As `where` names it: `config.toml` or `local.toml`. */
  readonly shown: 'config.toml' | 'local.toml'
  /** The file was there and nothing of it could be used: what it would have said is unknown. */
  readonly broken?: SettingFault
  readonly model?: Located<string>
  /** As written. */
  readonly baseUrl?: Located<string>
  readonly apiKey?: Located<Secret>
  readonly username?: Located<string>
  readonly storage: StorageValues
  readonly tools: ToolValues
  /** config.toml alone. */
  readonly lockHeartbeatSeconds?: Located<number>
  readonly faults: readonly SettingFault[]
}

/** The `[storage]` table. */
export interface StorageValues {
  readonly maxEntries?: Located<number>
  readonly maxAgeSeconds?: Located<number>
  readonly maxTokens?: Located<number>
  readonly bytesPerToken?: Located<number>
  readonly bloomFilters?: Located<boolean>
}

/** Reads `<home>/config.toml`. Never throws. */
export async function readConfig(disk: Disk, home: string): Promise<HomeConfig> {
  const file = await readToml(disk, path.join(home, 'config.toml'), 'config.toml')
  return homeConfig(file, 'config.toml')
}

/** Reads `<home>/contexts/<context>/local.toml`. Never throws. `context` must be a context's name. */
export async function readLocal(disk: Disk, home: string, context: string): Promise<HomeConfig> {
  const place = ['contexts', context, 'local.toml']
  return homeConfig(await readToml(disk, path.join(home, ...place), place.join('/')), 'local.toml')
}

const text = z.string().trim()

/** Takes what Skein uses out of a file. */
export function homeConfig(file: TomlFile, shown: HomeConfig['shown']): HomeConfig {
  const faults: SettingFault[] = file.broken === undefined ? [] : [file.broken]
  const takeText = (key: string) => {
    const found = takeValue(file, [key], text, 'text', faults)
    return found?.value === '' ? undefined : found
  }
  const takeCount = (keys: readonly string[], least: number) =>
    takeValue(file, keys, z.int().min(least), `a whole number of at least ${least}`, faults)
  const key = takeText('api_key')
  const found = {
    model: takeText('model'),
    baseUrl: takeText('base_url'),
    apiKey: key && { ...key, value: secret(key.value) },
    username: takeText('username'),
    lockHeartbeatSeconds:
      shown === 'config.toml' ? takeCount(['lock_heartbeat_seconds'], 1) : undefined,
  }
  // The least values are chibi's.
  const storage = {
    maxEntries: takeCount(['storage', 'partition_max_entries'], 1),
    maxAgeSeconds: takeCount(['storage', 'partition_max_age_seconds'], 60),
    maxTokens: takeCount(['storage', 'partition_max_tokens'], 1),
    bytesPerToken: takeCount(['storage', 'bytes_per_token'], 1),
    bloomFilters: takeValue(
      file,
      ['storage', 'enable_bloom_filters'],
      z.boolean(),
      'true or false',
      faults,
    ),
  }
  return {
    shown,
    ...(file.broken === undefined ? {} : { broken: file.broken }),
    ...present(found),
    storage: present(storage),
    tools: present(toolValues(file, faults)),
    faults,
  }
}

type Present<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** Leaves out what is undefined. */
function present<T extends object>(values: T): Present<T> {
  // The mapped type says what the filter does; the compiler does not follow Object.entries.
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Present<T>
}
