import { AppError } from '../../../shared/model/basics/errors'
import type { Protocol } from '../../../shared/model/settings/protocol'
import type { SettingFault, SettingValue } from '../../../shared/model/settings/settings'
import type { Timeouts } from '../../../shared/model/settings/timeouts'
import { openRouterBaseUrl, parseBaseUrl, shownAddress, webOrigin } from '../base/base-url'
import type { Candidate } from '../base/candidate'
import { type Secret, secret } from '../base/secret'
import type { HomeConfig } from '../config/home-config'
import { effectiveApi, settingLayers } from '../config/layers'
import type { ModelsFile } from '../config/model-tables'
import type { KeyVault } from '../stored/key-vault'
import type { StoredSettings } from '../stored/settings-file'
import {
  chibiKeyCandidates,
  defaultBaseUrlCandidate,
  type Environment,
  environmentCandidate,
  fileCandidate,
  type KeyCandidate,
  type NamedBaseUrls,
  type RunOptions,
  runCandidate,
  type VariableGroup,
  variableGroups,
} from './candidates'
import { addressDoubt, type NotReady, unencryptedKeyFaults, whyNotReady } from './not-ready'

export { isLoopback, openAiBaseUrl, openRouterBaseUrl, webOrigin } from '../base/base-url'
export type { RunOptions } from './candidates'

/** Everything that an endpoint is chosen from, gathered before. */
export interface EndpointSources {
  readonly run?: RunOptions | undefined
  readonly environment: Environment
  /** The context's local.toml, where there is a context. */
  readonly local?: HomeConfig | undefined
  readonly config: HomeConfig
  readonly modelsFile?: ModelsFile | undefined
  readonly stored: StoredSettings
  readonly vault: Pick<KeyVault, 'get'>
  /** The address of the practice model; undefined where it does not run. Used while it is chosen in Settings. */
  readonly practiceBaseUrl?: string | undefined
}

/** The address, model and key of requests, or the reason why there can be none. Never leaves the main process. */
export interface Endpoint {
  readonly provider: 'endpoint' | 'practice'
  /** Empty where no model is chosen. */
  readonly model: SettingValue
  readonly baseUrl: SettingValue
  readonly username: SettingValue
  /** The API in which it is asked; chat completions where it is absent. */
  readonly protocol?: Protocol
  /** Undefined where none is sent. */
  readonly apiKey?: Candidate<Secret>
  /** Keys that there are besides, and that are not sent. */
  readonly otherKeys?: readonly Secret[]
  /** Longest waits for its answers; the defaults where it is absent. */
  readonly timeouts?: Timeouts
  /** The reason why no message can be answered now, if any. */
  readonly notReady?: NotReady
  readonly faults: readonly SettingFault[]
}

/** A chosen endpoint, and all candidates, the one that holds first. */
export interface EndpointChoice {
  readonly endpoint: Endpoint
  readonly offers: {
    readonly model: readonly Candidate<string>[]
    readonly base_url: readonly Candidate<string>[]
    readonly username: readonly Candidate<string>[]
  }
}

/** Lists all keys that are known where an endpoint was chosen, to be scrubbed: nobody may see any of them. */
export function endpointKeys({
  apiKey,
  otherKeys = [],
}: Pick<Endpoint, 'apiKey' | 'otherKeys'>): readonly string[] {
  return [...(apiKey === undefined ? [] : [apiKey.value]), ...otherKeys].map((key) => key.reveal())
}

/** Chooses model, base URL and key; see chooseEndpoint. */
export async function resolveEndpoint(sources: EndpointSources): Promise<Endpoint> {
  return (await chooseEndpoint(sources)).endpoint
}

/**
 * Chooses model, base URL and key, and returns the other candidates as well.
 *
 * Each is taken from the first that has it: run options, `CHIBI_*`, local.toml, config.toml, Skein's settings (the
 * key: the keychain), `OPENROUTER_*`, `OPENAI_*`, the default; for the model, as in chibi, local.toml comes before a
 * `CHIBI_MODEL` without `CHIBI_BASE_URL`. Two rules keep values together that belong together:
 *
 * 1. A key is sent only to the web origin (scheme, host, port) that it belongs to; a key that does not fit is
 * skipped, and the next is tried. It belongs to the base URL in the same file or group of variables. Without one: a
 * key of chibi's (run option, `CHIBI_API_KEY`, local.toml, config.toml) to the base URL of the nearest of chibi's
 * places below it, else to OpenRouter, chibi's default; a key from the keychain to the address for which it was
 * entered; `OPENROUTER_API_KEY` to OpenRouter, `OPENAI_API_KEY` to OpenAI. So an address in a context's file, in
 * Settings or in a variable never gets the key of another provider. `CHIBI_API_KEY` does go to an address that the
 * home's files name: that is what chibi's variable is for.
 *
 * 2. Where no base URL is named above the environment, it is the one that the first key belongs to, so that
 * `OPENAI_API_KEY` alone talks to OpenAI. A model from a group of variables counts for that group's address alone.
 *
 * A base URL that is no address, or an unreadable configuration file, makes the endpoint not ready unless something
 * above it names the address: a message must not go to another address than the person meant. Servers on this
 * machine and in its network need no key. `openrouter/auto` is the model where none is named and the address is
 * OpenRouter's; other addresses have no default model.
 */
export async function chooseEndpoint(sources: EndpointSources): Promise<EndpointChoice> {
  const { config, local } = sources
  const faults = [...config.faults, ...(local?.faults ?? [])]
  const usernames = [
    runCandidate(sources.run?.username, 'run option'),
    fileCandidate(local, local?.username),
    fileCandidate(config, config.username),
    { ...defaultBaseUrlCandidate, value: 'user' },
  ].filter((candidate) => candidate !== undefined)
  // A run that names its own address has chosen, whatever Settings say.
  const isPractice = sources.stored.provider === 'practice' && !sources.run?.baseUrl
  if (isPractice && sources.practiceBaseUrl !== undefined)
    return practiceChoice(sources.practiceBaseUrl, usernames, faults)

  const { run = {}, environment, stored } = sources
  const groups = variableGroups(environment)
  const named: NamedBaseUrls = {
    run: runCandidate(run.baseUrl, 'run option'),
    chibi: environmentCandidate(environment, 'CHIBI_BASE_URL', 'chibi-environment'),
    local: fileCandidate(local, local?.baseUrl),
    config: fileCandidate(config, config.baseUrl),
  }
  const keys = chibiKeyCandidates(run, environment, local, config, named)
  const kept = keptKey(sources.vault, faults)
  const baseUrls = [
    named.run,
    named.chibi,
    named.local,
    named.config,
    settingsCandidate(stored.baseUrl),
  ].filter((candidate) => candidate !== undefined)
  const baseUrl = baseUrls[0] ?? (await impliedBaseUrl(keys, kept, groups))

  const parsed = parseBaseUrl(baseUrl.value)
  const address = { ...baseUrl, value: parsed.ok ? parsed.url : shownAddress(baseUrl.value) }
  const ofKeychain = await kept(address)
  const ofGroups = groups.flatMap(({ key }) => (key === undefined ? [] : [key]))
  const allKeys = [...keys, ...(ofKeychain === undefined ? [] : [ofKeychain]), ...ofGroups]
  const models = modelCandidates(sources, groups, address.value)
  const model = firstOf(models)

  const doubt =
    (isPractice ? 'The practice model is chosen in Settings, and does not run here.' : undefined) ??
    addressDoubt(baseUrl, config, local) ??
    (parsed.ok ? undefined : `The base URL (${baseUrl.where}) ${parsed.message}.`)
  const apiKey = doubt === undefined ? allKeys.find((key) => fits(key, address.value)) : undefined
  if (apiKey !== undefined) faults.push(...unencryptedKeyFaults(address))
  const otherKeys = allKeys.filter((key) => key !== apiKey).map(({ value }) => value)
  const notReady: NotReady | undefined =
    doubt === undefined
      ? whyNotReady(model, apiKey, allKeys, address.value)
      : { code: 'no-model', message: doubt, addressInDoubt: true }
  const timeouts = stored.timeouts?.find((one) => one.baseUrl === address.value)
  const endpoint: Endpoint = {
    provider: 'endpoint',
    model,
    baseUrl: settingValue(address),
    username: firstOf(usernames),
    protocol: protocolOf(sources, model.value, address.value),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(otherKeys.length === 0 ? {} : { otherKeys }),
    ...(timeouts === undefined ? {} : { timeouts }),
    ...(notReady === undefined ? {} : { notReady }),
    faults,
  }
  const offers = {
    model: models,
    base_url: [
      address,
      ...baseUrls
        .slice(1)
        .map((candidate) => ({ ...candidate, value: shownAddress(candidate.value) })),
    ],
    username: usernames,
  }
  return { endpoint, offers }
}

function practiceChoice(
  baseUrl: string,
  usernames: readonly Candidate<string>[],
  faults: readonly SettingFault[],
): EndpointChoice {
  const ofPractice = { origin: 'practice', where: 'practice model' } as const
  const model = { value: 'practice', ...ofPractice }
  const address = { value: baseUrl, ...ofPractice }
  const username = firstOf(usernames)
  return {
    endpoint: { provider: 'practice', model, baseUrl: address, username, faults },
    offers: { model: [model], base_url: [address], username: usernames },
  }
}

/** The last of any list is the default, so there is one. */
function firstOf(candidates: readonly Candidate<string>[]): SettingValue {
  return settingValue(candidates[0] ?? { ...defaultBaseUrlCandidate, value: '' })
}

/** Chooses the API by the same order as every parameter of a request. */
function protocolOf(
  { run, local, config, modelsFile, stored }: EndpointSources,
  model: string,
  baseUrl: string,
): Protocol {
  const asked = run?.values?.['api.protocol']
  const layers = settingLayers({
    run: asked === undefined ? undefined : { 'api.protocol': asked },
    local,
    config,
    modelsFile,
    model,
    protocol: stored.protocols?.get(baseUrl),
  })
  return effectiveApi(layers).protocol?.value ?? 'chat-completions'
}

type KeptKey = (address: Candidate<string>) => Promise<KeyCandidate | undefined>

/** Reads a key from the keychain; the first failure adds a fault. */
function keptKey(vault: Pick<KeyVault, 'get'>, faults: SettingFault[]): KeptKey {
  let isReported = false
  return async (address) => {
    try {
      const key = await vault.get(address.value)
      if (key === undefined) return undefined
      return { value: secret(key), origin: 'settings', where: 'keychain', home: address }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      if (!isReported) faults.push({ file: 'keychain', message: error.message })
      isReported = true
      return undefined
    }
  }
}

/** The address of the first key, else of the first group of variables that names one, else the default. */
async function impliedBaseUrl(
  keys: readonly KeyCandidate[],
  kept: KeptKey,
  groups: readonly VariableGroup[],
): Promise<Candidate<string>> {
  if (keys[0] !== undefined) return keys[0].home
  if ((await kept(defaultBaseUrlCandidate)) !== undefined) return defaultBaseUrlCandidate
  const group =
    groups.find(({ key }) => key !== undefined) ?? groups.find(({ namesBaseUrl }) => namesBaseUrl)
  return group?.home ?? defaultBaseUrlCandidate
}

function fits(key: KeyCandidate, baseUrl: string): boolean {
  const origin = webOrigin(key.home.value)
  return origin !== undefined && origin === webOrigin(baseUrl)
}

/**
 * Lists the models in chibi's own order: a context's model comes before the environment's, and that before the
 * home's. Where the environment names the address too, its model belongs to that.
 */
function modelCandidates(
  { run, environment, local, config, stored }: EndpointSources,
  groups: readonly VariableGroup[],
  baseUrl: string,
): readonly Candidate<string>[] {
  const isOpenRouter = webOrigin(baseUrl) === webOrigin(openRouterBaseUrl)
  const ofLocal = fileCandidate(local, local?.model)
  const ofChibi = environmentCandidate(environment, 'CHIBI_MODEL', 'chibi-environment')
  const hasAddress =
    environmentCandidate(environment, 'CHIBI_BASE_URL', 'chibi-environment') !== undefined
  return [
    runCandidate(run?.model, 'run option'),
    ...(hasAddress ? [ofChibi, ofLocal] : [ofLocal, ofChibi]),
    fileCandidate(config, config.model),
    settingsCandidate(stored.model),
    ...groups
      .filter((group) => webOrigin(group.home.value) === webOrigin(baseUrl))
      .map((group) => group.model),
    { ...defaultBaseUrlCandidate, value: isOpenRouter ? 'openrouter/auto' : '' },
  ].filter((candidate) => candidate !== undefined)
}

function settingsCandidate(value: string | undefined): Candidate<string> | undefined {
  return value?.trim() ? { value: value.trim(), origin: 'settings', where: 'Settings' } : undefined
}

function settingValue({ value, origin, where }: Candidate<string>): SettingValue {
  return { value, origin, where }
}
