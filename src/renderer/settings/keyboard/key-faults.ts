import type { SettingFault } from '../../../shared/model/settings/settings'

/** Returns true for a fault of the keys of commands, which the section Keyboard shows. */
export function isKeyFault({ key }: SettingFault): boolean {
  return key === 'keys' || key?.startsWith('keys.') === true
}
