import type { SettingFault } from '../../../shared/model/settings/settings'
import { isLocal, webOrigin } from '../base/base-url'
import type { Candidate } from '../base/candidate'
import type { HomeConfig } from '../config/home-config'
import type { KeyCandidate } from './candidates'

/** The reason why no message can be answered, as a code for callers and in words for people. */
export interface NotReady {
  readonly code: 'no-model' | 'no-key'
  readonly message: string
  /** The address itself is in doubt: nothing may be sent, not even a question for its models. */
  readonly addressInDoubt?: true
}

/** Returns a sentence where the address may be another one: a place above its origin could not be read. */
export function addressDoubt(
  baseUrl: Candidate<string>,
  config: HomeConfig,
  local: HomeConfig | undefined,
): string | undefined {
  if (baseUrl.origin === 'run-option' || baseUrl.origin === 'chibi-environment') return undefined
  const above = baseUrl.origin === 'local.toml' ? [local] : [local, config]
  const fault = above
    .flatMap((file) => file?.faults ?? [])
    .find(({ key }) => key === undefined || key === 'base_url')
  return fault && `${fault.message} It may name another address, so nothing is sent.`
}

/** Returns a fault where the key goes over a plain connection, on which others can read it. */
export function unencryptedKeyFaults({ value, where }: Candidate<string>): readonly SettingFault[] {
  if (value.startsWith('https:') || isLocal(value)) return []
  return [
    {
      file: where,
      key: 'base_url',
      message: `The key goes to ${value} unencrypted; https:// would keep it private.`,
    },
  ]
}

/**
 * Returns what is missing before a message can be answered; undefined where nothing is. A local server needs no key.
 */
export function whyNotReady(
  model: Candidate<string>,
  apiKey: KeyCandidate | undefined,
  keys: readonly KeyCandidate[],
  baseUrl: string,
): NotReady | undefined {
  const host = webOrigin(baseUrl) ?? baseUrl
  if (apiKey === undefined && !isLocal(baseUrl)) {
    const other = keys[0]
    const why =
      other === undefined
        ? ''
        : ` The key from ${other.where} belongs to ${webOrigin(other.home.value) ?? other.home.value} and is not sent there.`
    return { code: 'no-key', message: `There is no key for ${host}.${why}` }
  }
  if (model.value === '') return { code: 'no-model', message: `No model is chosen for ${host}.` }
  return undefined
}
