import path from 'node:path'
import { z } from 'zod'
import { parseShallow } from '../../../shared/model/basics/json-depth'
import type { RecentModel } from '../../../shared/model/settings/model-info'
import type { Protocol } from '../../../shared/model/settings/protocol'
import {
  defaultPreferences,
  Preferences,
  type SettingFault,
} from '../../../shared/model/settings/settings'
import { Mutex } from '../../async/mutex'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { jsonFaultPlace } from '../../disk/json/json-place'
import { readSmallFile } from '../../disk/reading/read'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { moveAside } from '../../disk/writing/move-aside'
import { writePieces } from '../../disk/writing/write-pieces'
import { isForeignFileError, saveError } from '../base/save-errors'
import {
  applyKeysChange,
  isKeyList,
  quickKeyText,
  readStoredKeys,
  requireQuickKey,
} from './stored-keys'
import { applyProtocolChange, readStoredProtocols } from './stored-protocols'
import {
  addRecentModel,
  applyProvidersChange,
  type NamedProvider,
  type ProvidersChange,
  readRecentModels,
  readStoredProviders,
} from './stored-providers'
import {
  applySourcesChange,
  readStoredSources,
  type SourcesChange,
  type StoredSources,
} from './stored-sources'
import {
  applyTimeoutsChange,
  readStoredTimeouts,
  type StoredTimeouts,
  type TimeoutsChange,
} from './stored-timeouts'

export { isSameRoot, type SourcesChange, type StoredSources } from './stored-sources'

/** The settings that a person made in Skein itself. */
export interface StoredSettings {
  readonly preferences: Preferences
  readonly model?: string
  readonly baseUrl?: string
  readonly provider: 'endpoint' | 'practice'
  /** Absent where nothing was chosen. */
  readonly sources?: StoredSources
  /** Absent where none was entered. */
  readonly providers?: readonly NamedProvider[]
  /** The API of providers that are not asked in chat completions, by base URL. Absent where there are none. */
  readonly protocols?: ReadonlyMap<string, Protocol>
  /** Chosen last, newest first. Absent where none was. */
  readonly recentModels?: readonly RecentModel[]
  /** Of providers that have others than the default. Absent where none has. */
  readonly timeouts?: readonly StoredTimeouts[]
}

/** A change of some settings; those that are absent stay. An empty text removes a value. */
export interface StoredSettingsChange {
  readonly preferences?: { readonly [K in keyof Preferences]?: Preferences[K] | undefined }
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  readonly provider?: 'endpoint' | 'practice' | undefined
  readonly sources?: SourcesChange | undefined
  readonly providers?: ProvidersChange | undefined
  /** Of one provider. */
  readonly protocol?: { readonly baseUrl: string; readonly protocol: Protocol } | undefined
  /** Becomes the newest of those chosen. */
  readonly recentModel?: RecentModel | undefined
  readonly timeouts?: TimeoutsChange | undefined
}

/** The file of Skein's own settings. */
export interface SettingsFile {
  /** Never throws: what is wrong with the file is a fault, and the defaults hold in its place. */
  read(): Promise<{ readonly stored: StoredSettings; readonly faults: readonly SettingFault[] }>
  /**
   * Durable on return; a link stays one. Keys that this version does not know stay. A file that is no JSON object is
   * moved aside first; one that cannot be read at this moment stays, and nothing is changed.
   *
   * @throws AppError `disk-full`, `io`; `bad-argument`: a key that the quick entry cannot have here
   */
  change(change: StoredSettingsChange): Promise<void>
}

const fileName = 'settings.json'

type Json = Readonly<Record<string, unknown>>

/** Returns Skein's own settings: `settings.json` in a folder of the user, not of a home. Reads nothing yet. */
export function openSettingsFile(disk: Disk, folder: string): SettingsFile {
  const file = path.join(folder, fileName)
  const changes = new Mutex()

  const write = async (change: StoredSettingsChange) => {
    await makeDurableFolder(disk, folder)
    const found = await readJson(disk, file)
    if (found.unread !== undefined) throw found.unread
    // A value of another shape would be gone, whatever it was meant for.
    if (found.fault !== undefined || isLost(found.json, change)) await moveAside(disk, file)
    await writePieces(disk, file, textOf(changed(found.json, change)))
  }

  return {
    async read() {
      const { json, fault } = await readJson(disk, file)
      const faults = fault === undefined ? [] : [fault]
      return { stored: storedIn(json, faults), faults }
    },
    async change(change) {
      requireQuickKey(change.preferences?.quickKey, process.platform)
      try {
        await changes.run(() => write(change))
      } catch (error) {
        throw saveError('The settings were', error)
      }
    },
  }
}

async function* textOf(json: Json): AsyncGenerator<string> {
  yield `${JSON.stringify(json, undefined, 2)}\n`
}

async function readJson(
  disk: Disk,
  file: string,
): Promise<{
  readonly json: Json
  readonly fault?: SettingFault
  /** The error by which it could not be read; it may hold settings. */
  readonly unread?: DiskError
}> {
  const wrong = (message: string, line?: number) => ({
    json: {},
    fault: { file: fileName, ...(line === undefined ? {} : { line }), message },
  })
  let bytes: Uint8Array | undefined
  try {
    bytes = await readSmallFile(disk, file)
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return {
      ...wrong(`${error.message}; the defaults are used.`),
      ...(isForeignFileError(error) ? {} : { unread: error }),
    }
  }
  if (bytes === undefined) return { json: {} }
  const parsed = JsonObject.safeParse(new TextDecoder().decode(bytes))
  if (parsed.success) return { json: parsed.data }
  const place = jsonFaultPlace(bytes)
  const where = place === undefined ? '' : ` at line ${place.line}, column ${place.column}`
  return wrong(
    `${fileName} is damaged${where}; the defaults are used. The damaged file is kept when settings are saved.`,
    place?.line,
  )
}

const JsonObject = z
  .string()
  .transform((text, context) => {
    try {
      return parseShallow(text)
    } catch {
      context.addIssue({ code: 'custom', message: 'not JSON' })
      return z.NEVER
    }
  })
  .pipe(z.record(z.string(), z.unknown()))

/** Reads value by value: a bad one costs itself alone. */
function storedIn(json: Json, faults: SettingFault[]): StoredSettings {
  const take = <T>(from: Json, key: string, schema: z.ZodType<T>): T | undefined => {
    if (from[key] === undefined) return undefined
    const parsed = schema.safeParse(from[key])
    if (parsed.success) return parsed.data
    faults.push(unknownValue(key))
    return undefined
  }
  const looks = take(json, 'preferences', z.record(z.string(), z.unknown())) ?? {}
  const { theme, contrast, density, textZoom, logRequests, keepPage } = Preferences.shape
  const { titles, titleModel, notifies, redactPatterns } = Preferences.shape
  const model = take(json, 'model', z.string())
  const baseUrl = take(json, 'baseUrl', z.string())
  const unknown = (key: string) => faults.push(unknownValue(key))
  const sources = readStoredSources(json.sources, unknown)
  const providers = readStoredProviders(json.providers, unknown)
  const protocols = readStoredProtocols(json.protocols, unknown)
  const recentModels = readRecentModels(json.recentModels)
  const timeouts = readStoredTimeouts(json.timeouts, unknown)
  return {
    preferences: {
      theme: take(looks, 'theme', theme) ?? defaultPreferences.theme,
      contrast: take(looks, 'contrast', contrast) ?? defaultPreferences.contrast,
      density: take(looks, 'density', density) ?? defaultPreferences.density,
      textZoom: take(looks, 'textZoom', textZoom) ?? defaultPreferences.textZoom,
      logRequests: take(looks, 'logRequests', logRequests) ?? defaultPreferences.logRequests,
      keepPage: take(looks, 'keepPage', keepPage) ?? defaultPreferences.keepPage,
      titles: take(looks, 'titles', titles) ?? defaultPreferences.titles,
      titleModel: take(looks, 'titleModel', titleModel) ?? defaultPreferences.titleModel,
      notifies: take(looks, 'notifies', notifies) ?? defaultPreferences.notifies,
      redactPatterns:
        take(looks, 'redactPatterns', redactPatterns) ?? defaultPreferences.redactPatterns,
      quickKey:
        take(looks, 'quickKey', quickKeyText(process.platform)) ?? defaultPreferences.quickKey,
      keys: readStoredKeys(looks.keys, (key, message) =>
        faults.push({ file: fileName, key, message }),
      ),
    },
    ...(model ? { model } : {}),
    ...(baseUrl ? { baseUrl } : {}),
    provider: take(json, 'provider', z.enum(['endpoint', 'practice'])) ?? 'endpoint',
    ...(sources === undefined ? {} : { sources }),
    ...(providers.length === 0 ? {} : { providers }),
    ...(protocols.size === 0 ? {} : { protocols }),
    ...(recentModels.length === 0 ? {} : { recentModels }),
    ...(timeouts.length === 0 ? {} : { timeouts }),
  }
}

function unknownValue(key: string): SettingFault {
  return { file: fileName, key, message: `${key} has an unknown value.` }
}

/** Returns true where the change would replace a value of another type by a new list or object. */
function isLost(
  json: Json,
  { preferences, sources, providers, protocol, recentModel, timeouts }: StoredSettingsChange,
): boolean {
  const isObject = (value: unknown) => z.record(z.string(), z.unknown()).safeParse(value).success
  const isOdd = (key: string, is: (value: unknown) => boolean) =>
    json[key] !== undefined && !is(json[key])
  const list =
    sources === undefined
      ? undefined
      : z.record(z.string(), z.unknown()).safeParse(json.sources).data?.[sources.list]
  return (
    (preferences !== undefined && isOdd('preferences', isObject)) ||
    (preferences?.keys !== undefined && !isKeyList(looksOf(json).keys)) ||
    (sources !== undefined &&
      (isOdd('sources', isObject) || (list !== undefined && !Array.isArray(list)))) ||
    (providers !== undefined && isOdd('providers', Array.isArray)) ||
    (protocol !== undefined && isOdd('protocols', isObject)) ||
    (recentModel !== undefined && isOdd('recentModels', Array.isArray)) ||
    (timeouts !== undefined && isOdd('timeouts', Array.isArray))
  )
}

function changed(json: Json, change: StoredSettingsChange): Json {
  const { preferences, sources, providers, protocol, recentModel, timeouts, ...values } = change
  const old = looksOf(json)
  const keys = preferences?.keys
  const merged: Json = {
    ...json,
    ...given(values),
    ...(preferences === undefined
      ? {}
      : {
          preferences: {
            ...old,
            ...given(preferences),
            ...(keys === undefined ? {} : { keys: applyKeysChange(old.keys, keys) }),
          },
        }),
    ...(sources === undefined ? {} : { sources: applySourcesChange(json.sources, sources) }),
    ...(providers === undefined
      ? {}
      : { providers: applyProvidersChange(json.providers, providers) }),
    ...(protocol === undefined ? {} : { protocols: applyProtocolChange(json.protocols, protocol) }),
    ...(recentModel === undefined
      ? {}
      : { recentModels: addRecentModel(json.recentModels, recentModel) }),
    ...(timeouts === undefined ? {} : { timeouts: applyTimeoutsChange(json.timeouts, timeouts) }),
  }
  return Object.fromEntries(
    Object.entries(merged).filter(([key, value]) => value !== '' || !(key in values)),
  )
}

function looksOf(json: Json): Json {
  return z.record(z.string(), z.unknown()).catch({}).parse(json.preferences)
}

function given(values: Readonly<Record<string, unknown>>): Json {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
