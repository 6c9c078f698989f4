import type { SettingOrigin } from '../../../shared/model/settings/settings'

/** A value with the place it comes from. */
export interface Candidate<T> {
  readonly value: T
  readonly origin: SettingOrigin
  /** A place that a person can find: `config.toml:3`, `CHIBI_MODEL`. */
  readonly where: string
}
