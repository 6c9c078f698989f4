import type { SettingFault, VisibleSettings } from '../../../shared/model/settings/settings'
import { keyHint } from '../base/secret'
import type { StoredSettings } from '../stored/settings-file'
import type { Endpoint } from './endpoint'

/** Builds the settings that the app window may know: everything but the key. */
export function buildSettingsView(
  endpoint: Endpoint,
  stored: StoredSettings,
  keychain: VisibleSettings['keychain'],
  faults: readonly SettingFault[],
): VisibleSettings {
  const { apiKey, notReady } = endpoint
  return {
    preferences: stored.preferences,
    provider: endpoint.provider,
    model: endpoint.model,
    baseUrl: endpoint.baseUrl,
    username: endpoint.username,
    key:
      apiKey === undefined
        ? { present: false }
        : {
            present: true,
            hint: keyHint(apiKey.value),
            origin: apiKey.origin,
            where: apiKey.where,
          },
    keychain,
    ready: notReady === undefined,
    ...(notReady === undefined ? {} : { notReady: notReady.message }),
    faults: [...faults],
  }
}
