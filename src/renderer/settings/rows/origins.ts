import type {
  SettingOrigin,
  SettingValue,
  VisibleSettings,
} from '../../../shared/model/settings/settings'

/** Values of Skein's own choice whose origin can be explained. */
export type OwnSetting = 'model' | 'baseUrl' | 'key' | 'username'

/** What is explained: one of those, or a key of chibi's files. */
export type ExplainedSetting = OwnSetting | `config:${string}`

/** The order in which a value is looked for; the first place that has one counts. */
export const originOrder: readonly {
  readonly origin: SettingOrigin
  readonly name: string
  readonly where: string
}[] = [
  { origin: 'run-option', name: 'Run option', where: '--set' },
  { origin: 'chibi-environment', name: 'chibi’s environment', where: 'CHIBI_*' },
  { origin: 'local.toml', name: 'Context', where: 'local.toml' },
  { origin: 'models.toml', name: 'Model', where: 'models.toml' },
  { origin: 'config.toml', name: 'Home', where: 'config.toml' },
  { origin: 'settings', name: 'Settings', where: 'kept by Skein' },
  { origin: 'environment', name: 'Environment', where: 'OPENROUTER_*, OPENAI_*' },
  { origin: 'default', name: 'Default', where: 'built in' },
]

/** A value with its origin; undefined for a key that is not there. */
export function explainedValue(view: VisibleSettings, what: OwnSetting): SettingValue | undefined {
  if (what !== 'key') return view[what]
  const { present, hint, origin, where } = view.key
  if (!present || origin === undefined) return undefined
  return { value: hint ?? '••••', origin, where: where ?? 'keychain' }
}

/** Whether a value comes from a place before Settings: what is entered here does not count, then. */
export function isOverridden(value: Pick<SettingValue, 'origin'> | undefined): boolean {
  if (value === undefined) return false
  const rank = (origin: SettingOrigin) => originOrder.findIndex((place) => place.origin === origin)
  return value.origin !== 'practice' && rank(value.origin) < rank('settings')
}
