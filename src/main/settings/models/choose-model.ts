import { AppError } from '../../../shared/model/basics/errors'
import type { SettingOrigin } from '../../../shared/model/settings/settings'
import { webOrigin } from '../base/base-url'
import type { HomeConfig } from '../config/home-config'
import type { Environment } from '../endpoint/candidates'
import type { Endpoint } from '../endpoint/endpoint'
import type { StoredSettingsChange } from '../stored/settings-file'

/** A model, and the address where it is. */
export interface ModelChoice {
  readonly baseUrl: string
  readonly model: string
}

/** Places that come before a context's local.toml, and before Skein's settings. */
const beforeContext: readonly SettingOrigin[] = ['run-option', 'chibi-environment']
const beforeSettings: readonly SettingOrigin[] = [...beforeContext, 'local.toml', 'config.toml']
const runAlone: readonly SettingOrigin[] = ['run-option']

/**
 * Returns the change by which a choice holds for the home; the address only where it differs.
 *
 * @throws AppError `read-only` where a file or a variable comes before Skein's settings
 */
export function homeModelChange(choice: ModelChoice, now: Endpoint): StoredSettingsChange {
  const isMoved = refuseOverridden(choice, now, beforeSettings)
  return {
    model: choice.model,
    ...(isMoved ? { baseUrl: choice.baseUrl } : {}),
    provider: 'endpoint',
    recentModel: choice,
  }
}

/**
 * Returns the values that a choice needs in a context's local.toml; the address only where it differs.
 *
 * chibi's own keys follow an address there: a key without an address of its own would be sent to the new one. That
 * is refused; the keychain's keys and those of other variables stay with their origins anyway.
 *
 * @throws AppError `read-only`
 */
export function contextModelChange(
  choice: ModelChoice,
  now: Endpoint,
  local: HomeConfig,
  environment: Environment,
): { readonly model: string; readonly baseUrl?: string } {
  // Without CHIBI_BASE_URL, CHIBI_MODEL comes after local.toml.
  const before = now.baseUrl.origin === 'chibi-environment' ? beforeContext : runAlone
  if (!refuseOverridden(choice, now, before)) return { model: choice.model }
  const isSameOrigin = webOrigin(choice.baseUrl) === webOrigin(now.baseUrl.value)
  const follows =
    local.apiKey !== undefined
      ? 'the api_key in its local.toml'
      : environment.CHIBI_API_KEY?.trim() && !environment.CHIBI_BASE_URL?.trim()
        ? 'the key in CHIBI_API_KEY'
        : undefined
  if (!isSameOrigin && follows !== undefined)
    throw new AppError(
      'read-only',
      `This conversation stays with ${now.baseUrl.value}: ${follows} would be sent to ${choice.baseUrl} too. Remove the key there first.`,
    )
  return { model: choice.model, baseUrl: choice.baseUrl }
}

/** Tells whether the address has to change. */
function refuseOverridden(
  choice: ModelChoice,
  now: Endpoint,
  before: readonly SettingOrigin[],
): boolean {
  const isMoved = now.baseUrl.value !== choice.baseUrl
  const other = [
    ...(now.model.value === choice.model ? [] : [{ what: 'model', ...now.model }]),
    ...(isMoved ? [{ what: 'address', ...now.baseUrl }] : []),
  ].find(({ origin }) => before.includes(origin))
  if (other === undefined) return isMoved
  throw new AppError(
    'read-only',
    `The ${other.what} is set in ${other.where}, which takes precedence over ${
      before === beforeSettings ? 'Settings' : 'a conversation’s own'
    }. Change it there.`,
  )
}
