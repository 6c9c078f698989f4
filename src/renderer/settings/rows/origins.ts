import type {
  SettingOrigin,
  SettingValue,
  VisibleSettings,
} from '../../../shared/model/settings/settings'

/** Setting of Skein's own whose origin can be explained. */
export type OwnSetting = 'model' | 'baseUrl' | 'key' | 'username'

/** Setting that the origin pane can explain: one of Skein's own, or a key of chibi's files. */
export type ExplainedSetting = OwnSetting | `config:${string}`

/** Origins in the order in which they are searched; the first that has a value holds. */
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

/** Returns a setting with its origin; for an API key its hint, and undefined where no key is present. */
export function explainedValue(view: VisibleSettings, what: OwnSetting): SettingValue | undefined {
  if (what !== 'key') return view[what]
  const { present, hint, origin, where } = view.key
  if (!present || origin === undefined) return undefined
  return { value: hint ?? '••••', origin, where: where ?? 'keychain' }
}

/** Returns true where a value comes from an origin before Settings, so that a value entered there has no effect. */
export function isOverridden(value: Pick<SettingValue, 'origin'> | undefined): boolean {
  if (value === undefined) return false
  const rank = (origin: SettingOrigin) => originOrder.findIndex((place) => place.origin === origin)
  return value.origin !== 'practice' && rank(value.origin) < rank('settings')
}
