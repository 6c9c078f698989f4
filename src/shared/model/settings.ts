import { z } from 'zod'

/** Where a value comes from; the first that has one wins, in this order. */
export const SettingOrigin = z.enum([
  'run-option',
  'chibi-environment',
  'local.toml',
  'config.toml',
  'settings',
  'environment',
  'default',
  'practice',
])
export type SettingOrigin = z.infer<typeof SettingOrigin>

export const SettingValue = z.object({
  value: z.string(),
  origin: SettingOrigin,
  /** Such as `config.toml:3` or `OPENROUTER_API_KEY`: what a person can look for. */
  where: z.string(),
})
export type SettingValue = z.infer<typeof SettingValue>

/** A line of a configuration file that was not understood, and what is used instead. */
export const SettingFault = z.object({
  file: z.string(),
  line: z.int().optional(),
  key: z.string().optional(),
  message: z.string(),
})
export type SettingFault = z.infer<typeof SettingFault>

const Theme = z.enum(['system', 'light', 'dark'])
const Density = z.enum(['comfortable', 'compact'])

/** How the window looks. Kept per user, not per home. */
export const Preferences = z.object({
  theme: Theme,
  contrast: z.enum(['system', 'normal', 'more']),
  density: Density,
  /** 0.8 to 2. */
  textZoom: z.number().min(0.8).max(2),
})
export type Preferences = z.infer<typeof Preferences>

export const defaultPreferences: Preferences = {
  theme: 'system',
  contrast: 'system',
  density: 'comfortable',
  textZoom: 1,
}

/** All that the window may know of the settings: never a key. */
export const SettingsView = z.object({
  preferences: Preferences,
  /** `practice` while the practice model answers for every context. */
  provider: z.enum(['endpoint', 'practice']),
  model: SettingValue,
  baseUrl: SettingValue,
  username: SettingValue,
  key: z.object({
    present: z.boolean(),
    /** Such as `sk-or-…7f3c`: the first six and last four characters, or bullets where the key is short. */
    hint: z.string().optional(),
    origin: SettingOrigin.optional(),
    where: z.string().optional(),
  }),
  /** Whether the operating system keeps secrets well here. */
  keychain: z.enum(['strong', 'weak', 'none']),
  /** Whether a message can be answered now; else why not, in words. */
  ready: z.boolean(),
  notReady: z.string().optional(),
  faults: z.array(SettingFault),
})
export type SettingsView = z.infer<typeof SettingsView>

/** A server that answered on loopback. */
export const LocalServer = z.object({
  name: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
})
export type LocalServer = z.infer<typeof LocalServer>
