import { AppError } from '../../shared/model/basics/errors'
import type {
  ConfigChange,
  ConfigView,
  LocalServer,
  Preferences,
  VisibleSettings,
} from '../../shared/model/settings/settings'
import { Mutex } from '../async/mutex'
import type { Disk } from '../disk/interface/disk'
import type { SettingsApproval } from './base/approval'
import { parseBaseUrl } from './base/base-url'
import { type HomeConfig, readContextConfig, readHomeConfig } from './config/home-config'
import { settingLayers } from './config/layers'
import { type ModelsFile, readModelsFile } from './config/model-tables'
import { type RunSettings, runSettings } from './config/run-settings'
import { lockHeartbeatSeconds, type StoragePolicy, storagePolicy } from './config/storage-policy'
import { type ToolSettings, toolSettings } from './config/tool-settings'
import { changeConfig } from './editing/change-config'
import { buildConfigView } from './editing/config-view'
import type { Environment, RunOptions } from './endpoint/candidates'
import {
  chooseEndpoint,
  type Endpoint,
  type EndpointSources,
  resolveEndpoint,
} from './endpoint/endpoint'
import { buildSettingsView } from './endpoint/settings-view'
import { checkEndpoint, type EndpointCheck } from './models/check-endpoint'
import { isKnownAddress } from './models/known-addresses'
import { findLocalServers } from './models/local-servers'
import { storeProviderKey } from './models/provider-key'
import type { KeyVault } from './stored/key-vault'
import {
  openSettingsFile,
  type SettingsFile,
  type StoredSettingsChange,
} from './stored/settings-file'
import { type HomeTexts, openHomeTexts } from './texts/home-texts'

export type { NewFolder, SettingsApproval } from './base/approval'

/** Everything that the settings of a home need. */
export interface SettingsDeps {
  readonly disk: Disk
  /** The chibi home; need not exist. */
  readonly home: string
  /** Where Skein's own settings lie; need not exist. */
  readonly folder: string
  /** The file of those, where others change it too: changes of two run one after the other. */
  readonly file?: SettingsFile
  readonly vault: KeyVault
  readonly environment: Environment
  /** Starts the practice model if it does not run, and gives its base URL. Absent where there is none. */
  readonly practice?: (() => Promise<string>) | undefined
}

/**
 * The settings of a home, read from the disk at every call: an edited file takes effect at once.
 *
 * `context` must be a context's name; without it, the home's settings are meant.
 */
export interface Settings {
  endpoint(context?: string, run?: RunOptions): Promise<Endpoint>
  view(context?: string): Promise<VisibleSettings>
  /** @throws AppError `disk-full`, `io` */
  setPreferences(
    change: { readonly [K in keyof Preferences]?: Preferences[K] | undefined },
  ): Promise<VisibleSettings>
  /**
   * An empty text removes a value. A new address needs approval first.
   *
   * @throws AppError `denied`, `bad-argument` for a base URL that is none, `disk-full`, `io`
   */
  setModel(
    change: Pick<StoredSettingsChange, 'model' | 'baseUrl' | 'provider'>,
    allow: SettingsApproval,
  ): Promise<VisibleSettings>
  /**
   * Keeps a key for the address that holds in this home now, once a person has allowed it; null forgets that one.
   *
   * @throws AppError `denied`, `weak-keychain` unless allowed, `bad-argument`, `disk-full`, `io`
   */
  setKey(key: string | null, allowWeak: boolean, allow: SettingsApproval): Promise<VisibleSettings>
  /** chibi's keys, each with where it comes from. */
  config(context?: string): Promise<ConfigView>
  /** Changes one key in a file of the home's, or of the context's; see changeConfig. */
  setValue(
    change: ConfigChange,
    context: string | undefined,
    allow: SettingsApproval,
  ): Promise<void>
  /** Prompts, the reflection, AGENTS.md and models.toml. */
  readonly texts: HomeTexts
  check(signal?: AbortSignal): Promise<EndpointCheck>
  localServers(signal?: AbortSignal): Promise<readonly LocalServer[]>
  storagePolicy(context?: string): Promise<StoragePolicy>
  lockHeartbeatSeconds(): Promise<number>
  toolSettings(context?: string): Promise<ToolSettings>
  /** Resolves to the settings of a run. @throws AppError `bad-argument` for an option of the run that is none */
  runSettings(context?: string, run?: RunOptions): Promise<RunSettings>
}

/** Returns the settings of a home. Reads nothing yet. */
export function openSettings(deps: SettingsDeps): Settings {
  const { disk, home, vault } = deps
  const file = deps.file ?? openSettingsFile(disk, deps.folder)
  const readConfig = async (context?: string) => {
    const sources = await sourcesOf(deps, file, context)
    const { config, local, modelsFile, stored } = sources
    const choice = await chooseEndpoint(sources)
    const { endpoint } = choice
    const layers = settingLayers({
      config,
      local,
      modelsFile,
      model: endpoint.model.value,
      protocol: stored.protocols?.get(endpoint.baseUrl.value),
    })
    const faults = [...endpoint.faults, ...modelsFile.faults]
    return { endpoint, config: buildConfigView({ config, local, choice, layers, faults }) }
  }
  const view = async (context?: string) => {
    const { stored, faults } = await file.read()
    const { endpoint, config } = await readConfig(context)
    return buildSettingsView(endpoint, stored, vault.strength(), [...faults, ...config.faults])
  }
  const changes = new Mutex()
  const isKnown = async (baseUrl: string) => {
    // Without practice: while it answers, the address under it is the one that a person has allowed.
    const { baseUrl: inUse } = await endpointOf({ ...deps, practice: undefined }, file)
    return isKnownAddress(baseUrl, (await file.read()).stored, [inUse.value])
  }
  const change = async (what: StoredSettingsChange) => {
    await file.change(what)
    return view()
  }
  return {
    endpoint: (context, run) => endpointOf(deps, file, context, run),
    view,
    setPreferences: (preferences) => change({ preferences }),
    async setModel({ model, baseUrl, provider }, allow) {
      const parsed = baseUrl ? parseBaseUrl(baseUrl) : undefined
      if (parsed?.ok === false)
        throw new AppError('bad-argument', `The base URL ${parsed.message}.`)
      if (parsed !== undefined && !(await isKnown(parsed.url))) await allow.address(parsed.url)
      return change({ model: model?.trim(), baseUrl: parsed?.url ?? baseUrl, provider })
    },
    async setKey(key, allowWeak, allow) {
      // Without practice: while it answers, the address under it is what the key belongs to.
      const { baseUrl } = await endpointOf({ ...deps, practice: undefined }, file)
      await storeProviderKey(vault, baseUrl.value, key, allowWeak, allow)
      return view()
    },
    config: async (context) => (await readConfig(context)).config,
    setValue: (what, context, allow) =>
      changes.run(() => changeConfig({ ...deps, isKnownAddress: isKnown }, what, context, allow)),
    texts: openHomeTexts(disk, home),
    check: async (signal) => checkEndpoint(await endpointOf(deps, file), {}, signal),
    localServers: (signal) => findLocalServers({}, signal),
    storagePolicy: async (context) => storagePolicy(await filesOf(deps, context)),
    lockHeartbeatSeconds: async () => lockHeartbeatSeconds(await readHomeConfig(disk, home)),
    toolSettings: async (context) => toolSettings(settingLayers(await filesOf(deps, context))),
    async runSettings(context, run) {
      const sources = await sourcesOf(deps, file, context, run)
      const { config, local, modelsFile } = sources
      const { model } = await resolveEndpoint(sources)
      return runSettings(
        settingLayers({ config, local, modelsFile, model: model.value, run: run?.values }),
      )
    },
  }
}

async function filesOf(
  { disk, home }: SettingsDeps,
  context: string | undefined,
): Promise<{ readonly config: HomeConfig; readonly local: HomeConfig | undefined }> {
  const local = context === undefined ? undefined : await readContextConfig(disk, home, context)
  return { config: await readHomeConfig(disk, home), local }
}

async function endpointOf(
  deps: SettingsDeps,
  file: SettingsFile,
  context?: string,
  run?: RunOptions,
): Promise<Endpoint> {
  return resolveEndpoint(await sourcesOf(deps, file, context, run))
}

/** Reads every file once: what is made of them is of one moment. */
async function sourcesOf(
  deps: SettingsDeps,
  file: SettingsFile,
  context?: string,
  run?: RunOptions,
): Promise<EndpointSources & { readonly modelsFile: ModelsFile }> {
  const { environment, vault, practice } = deps
  const { stored } = await file.read()
  return {
    run,
    environment,
    ...(await filesOf(deps, context)),
    modelsFile: await readModelsFile(deps.disk, deps.home),
    stored,
    vault,
    // Where it cannot be started, the endpoint is not ready and says so.
    practiceBaseUrl:
      stored.provider === 'practice' ? await practice?.().catch(() => undefined) : undefined,
  }
}
