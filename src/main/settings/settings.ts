import { AppError } from '../../shared/model/errors'
import type { LocalServer, Preferences, SettingsView } from '../../shared/model/settings'
import type { Disk } from '../disk/disk'
import { parseBaseUrl } from './base-url'
import { checkEndpoint, type EndpointCheck } from './check-endpoint'
import { readConfig, readLocal } from './home-config'
import type { Environment, RunOptions } from './key-offers'
import type { KeyVault } from './key-vault'
import { findLocalServers } from './local-servers'
import { type Endpoint, resolveEndpoint } from './model-choice'
import { type SettingsFile, type StoredChange, settingsFile } from './preferences'
import { settingsView } from './settings-view'
import { lockHeartbeatSeconds, type StoragePolicy, storagePolicy } from './storage-policy'
import { type ToolSettings, toolSettings } from './tool-settings'

export interface SettingsDeps {
  readonly disk: Disk
  /** The chibi home; need not exist. */
  readonly home: string
  /** Where Skein's own settings lie; need not exist. */
  readonly folder: string
  readonly vault: KeyVault
  readonly environment: Environment
  /** Starts the practice model if it does not run, and gives its base URL. Absent where there is none. */
  readonly practice?: (() => Promise<string>) | undefined
}

/**
 * All settings of a home, read from the disk at every call: a file that was edited holds at once.
 *
 * `context` must be a context's name; without it, what holds for the home.
 */
export interface Settings {
  endpoint(context?: string, run?: RunOptions): Promise<Endpoint>
  view(context?: string): Promise<SettingsView>
  /** @throws AppError `disk-full`, `io` */
  setPreferences(
    change: { readonly [K in keyof Preferences]?: Preferences[K] | undefined },
  ): Promise<SettingsView>
  /** An empty text takes a value away. @throws AppError `bad-argument` for a base URL that is none, `disk-full`, `io` */
  setModel(change: Omit<StoredChange, 'preferences'>): Promise<SettingsView>
  /**
   * Keeps a key for the address that holds in this home now; null forgets that one.
   *
   * @throws AppError `weak-keychain` unless allowed, `bad-argument`, `disk-full`, `io`
   */
  setKey(key: string | null, allowWeak: boolean): Promise<SettingsView>
  check(signal?: AbortSignal): Promise<EndpointCheck>
  localServers(signal?: AbortSignal): Promise<readonly LocalServer[]>
  storagePolicy(context?: string): Promise<StoragePolicy>
  lockHeartbeatSeconds(): Promise<number>
  toolSettings(context?: string): Promise<ToolSettings>
}

export function openSettings(deps: SettingsDeps): Settings {
  const { disk, home, vault } = deps
  const file = settingsFile(disk, deps.folder)
  const view = async (context?: string) => {
    const { stored, faults } = await file.read()
    const endpoint = await endpointOf(deps, file, context)
    return settingsView(endpoint, stored, vault.strength(), faults)
  }
  const change = async (what: StoredChange) => {
    await file.change(what)
    return view()
  }
  return {
    endpoint: (context, run) => endpointOf(deps, file, context, run),
    view,
    setPreferences: (preferences) => change({ preferences }),
    async setModel({ model, baseUrl, provider }) {
      const parsed = baseUrl ? parseBaseUrl(baseUrl) : undefined
      if (parsed?.ok === false)
        throw new AppError('bad-argument', `The base URL ${parsed.message}.`)
      return change({ model: model?.trim(), baseUrl: parsed?.url ?? baseUrl, provider })
    },
    async setKey(key, allowWeak) {
      if (key !== null) assertKept(vault, allowWeak)
      // Without practice: while it answers, the address under it is what the key belongs to.
      const { baseUrl } = await endpointOf({ ...deps, practice: undefined }, file)
      await vault.set(baseUrl.value, key === null ? null : cleanKey(key))
      return view()
    },
    check: async (signal) => checkEndpoint(await endpointOf(deps, file), {}, signal),
    localServers: (signal) => findLocalServers({}, signal),
    async storagePolicy(context) {
      const local = context === undefined ? undefined : await readLocal(disk, home, context)
      return storagePolicy(await readConfig(disk, home), local)
    },
    lockHeartbeatSeconds: async () => lockHeartbeatSeconds(await readConfig(disk, home)),
    async toolSettings(context) {
      const local = context === undefined ? undefined : await readLocal(disk, home, context)
      return toolSettings(await readConfig(disk, home), local)
    },
  }
}

async function endpointOf(
  { disk, home, vault, environment, practice }: SettingsDeps,
  file: SettingsFile,
  context?: string,
  run?: RunOptions,
): Promise<Endpoint> {
  const { stored } = await file.read()
  return resolveEndpoint({
    run,
    environment,
    local: context === undefined ? undefined : await readLocal(disk, home, context),
    config: await readConfig(disk, home),
    stored,
    vault,
    // One that cannot be started is told by the endpoint, which is not ready then.
    practiceBaseUrl:
      stored.provider === 'practice' ? await practice?.().catch(() => undefined) : undefined,
  })
}

function assertKept(vault: KeyVault, allowWeak: boolean): void {
  if (allowWeak || vault.strength() === 'strong') return
  throw new AppError(
    'weak-keychain',
    vault.strength() === 'weak'
      ? 'This system keeps secrets badly: any program that you run could read the key.'
      : 'This system keeps no secrets for programs: the key would be forgotten when Skein closes.',
  )
}

function cleanKey(key: string): string {
  const clean = key.trim()
  if (!/^[\x21-\x7e]+$/.test(clean))
    throw new AppError(
      'bad-argument',
      'A key holds no spaces, line breaks or special letters. Copy it again, whole.',
    )
  return clean
}
