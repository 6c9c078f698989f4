import type { SettingOrigin } from '../../../shared/model/settings/settings'
import { openAiBaseUrl, openRouterBaseUrl, parseBaseUrl } from '../base/base-url'
import type { Candidate } from '../base/candidate'
import { type Secret, secret } from '../base/secret'
import type { HomeConfig } from '../config/home-config'

/** The environment variables, by name. */
export type Environment = Readonly<Record<string, string | undefined>>

/** The options of one run, which come before everything else. */
export interface RunOptions {
  readonly model?: string | undefined
  readonly baseUrl?: string | undefined
  readonly apiKey?: string | undefined
  readonly username?: string | undefined
  /** Other keys of chibi's, by their names in config.toml: `fuel`, `api.temperature`. */
  readonly values?: Readonly<Record<string, unknown>> | undefined
}

/** A key, and the address that it belongs to. */
export interface KeyCandidate extends Candidate<Secret> {
  readonly home: Candidate<string>
}

/** The address where nothing names one. */
export const defaultBaseUrlCandidate: Candidate<string> = {
  value: openRouterBaseUrl,
  origin: 'default',
  where: 'default',
}

/** Returns the candidate of a variable; undefined where it is unset or blank. */
export function environmentCandidate(
  environment: Environment,
  name: string,
  origin: SettingOrigin,
): Candidate<string> | undefined {
  const value = environment[name]?.trim()
  return value ? { value, origin, where: name } : undefined
}

/** Returns the candidate of a run option; undefined where it is blank. */
export function runCandidate(
  value: string | undefined,
  name: string,
): Candidate<string> | undefined {
  return value?.trim() ? { value: value.trim(), origin: 'run-option', where: name } : undefined
}

/** Returns the candidate of a configuration file's value, with its line. */
export function fileCandidate<T>(
  config: HomeConfig | undefined,
  found: { readonly value: T; readonly line?: number } | undefined,
): Candidate<T> | undefined {
  if (config === undefined || found === undefined) return undefined
  const { shown } = config
  return {
    value: found.value,
    origin: shown,
    where: found.line === undefined ? shown : `${shown}:${found.line}`,
  }
}

/** The base URLs that chibi's own places name, first to last. */
export interface NamedBaseUrls {
  readonly run: Candidate<string> | undefined
  readonly chibi: Candidate<string> | undefined
  readonly local: Candidate<string> | undefined
  readonly config: Candidate<string> | undefined
}

/**
 * Lists the keys in chibi's own places, in order. A key without an address in the same place belongs to the address
 * below it, at last to chibi's default.
 */
export function chibiKeyCandidates(
  run: RunOptions,
  environment: Environment,
  local: HomeConfig | undefined,
  config: HomeConfig,
  named: NamedBaseUrls,
): readonly KeyCandidate[] {
  const configHome = named.config ?? defaultBaseUrlCandidate
  const localHome = named.local ?? configHome
  const chibiHome = named.chibi ?? localHome
  const text = (candidate: Candidate<string> | undefined) =>
    candidate && { ...candidate, value: secret(candidate.value) }
  return [
    ownedKey(text(runCandidate(run.apiKey, 'run option')), named.run ?? chibiHome),
    ownedKey(
      text(environmentCandidate(environment, 'CHIBI_API_KEY', 'chibi-environment')),
      chibiHome,
    ),
    ownedKey(fileCandidate(local, local?.apiKey), localHome),
    ownedKey(fileCandidate(config, config.apiKey), configHome),
  ].filter((candidate) => candidate !== undefined)
}

/** One provider's variables: they belong together, and to that provider's address. */
export interface VariableGroup {
  /** The group's address: its own variable, else the provider's. */
  readonly home: Candidate<string>
  readonly namesBaseUrl: boolean
  readonly key: KeyCandidate | undefined
  readonly model: Candidate<string> | undefined
}

/** Returns the groups of `OPENROUTER_*` and `OPENAI_*`, in this order. */
export function variableGroups(environment: Environment): readonly VariableGroup[] {
  return [
    variableGroup(environment, 'OPENROUTER', openRouterBaseUrl),
    variableGroup(environment, 'OPENAI', openAiBaseUrl),
  ]
}

function variableGroup(
  environment: Environment,
  prefix: string,
  providerBaseUrl: string,
): VariableGroup {
  const named = environmentCandidate(environment, `${prefix}_BASE_URL`, 'environment')
  const key = environmentCandidate(environment, `${prefix}_API_KEY`, 'environment')
  const home = named ?? {
    value: providerBaseUrl,
    origin: 'environment' as const,
    where: `${prefix}_API_KEY`,
  }
  return {
    home: normalized(home),
    namesBaseUrl: named !== undefined,
    key: ownedKey(key && { ...key, value: secret(key.value) }, normalized(home)),
    model: environmentCandidate(environment, `${prefix}_MODEL`, 'environment'),
  }
}

function ownedKey(
  key: Candidate<Secret> | undefined,
  home: Candidate<string>,
): KeyCandidate | undefined {
  return key && { ...key, home: normalized(home) }
}

/** A text that is no address stays as it is: it equals none, so nothing is sent to it. */
function normalized(candidate: Candidate<string>): Candidate<string> {
  const parsed = parseBaseUrl(candidate.value)
  return parsed.ok ? { ...candidate, value: parsed.url } : candidate
}
