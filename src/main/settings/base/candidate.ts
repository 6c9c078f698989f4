import type { SettingOrigin } from '../../../shared/model/settings/settings'

/** A value with the place it comes from. */
export interface Candidate<T> {
  readonly value: T
  readonly origin: SettingOrigin
  /** What a person can look for: `config.toml:3`, `CHIBI_MODEL`. */
  readonly where: string
}
