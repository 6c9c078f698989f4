import { z } from 'zod'
import { OwnKeys } from '../keys/key-table'
import { QuickKey } from '../keys/quick-key'
import { mostOwnPatterns, OwnPattern } from './own-pattern'

/** Origin of a setting's value; the first that has one wins, in this order. */
export const SettingOrigin = z.enum([
  'run-option',
  'chibi-environment',
  'local.toml',
  'models.toml',
  'config.toml',
  'settings',
  'environment',
  'default',
  'practice',
])
export type SettingOrigin = z.infer<typeof SettingOrigin>

/** Value of a setting and its origin. */
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

/** Returns true for a fault of the keys of commands and of the quick entry, which concern the app window alone. */
export function isKeyFault({ file, key }: SettingFault): boolean {
  if (file !== 'settings.json' || key === undefined) return false
  return key === 'keys' || key === 'quickKey' || key.startsWith('keys.')
}

const Theme = z.enum(['system', 'light', 'dark'])
const Density = z.enum(['comfortable', 'compact'])

/**
 * Preferences of a person: the appearance of the app window, and what is kept in files of its own. Kept per user,
 * not per home.
 */
export const Preferences = z.object({
  theme: Theme,
  contrast: z.enum(['system', 'normal', 'more']),
  density: Density,
  /** 0.8 to 2. */
  textZoom: z.number().min(0.8).max(2),
  /** Requests are taken down in each context's requests.jsonl, without keys. */
  logRequests: z.boolean(),
  /** True where what a clearing takes from the window also goes to transcript.md, unless a person says otherwise. */
  keepPage: z.boolean(),
  /** The model titles a conversation after its first whole answer. */
  titles: z.boolean(),
  /** Which model titles conversations; empty: the conversation's own. */
  titleModel: z.string().max(300),
  /** The system notifies when a long answer ends, or a tool waits, while another program is in front. */
  notifies: z.boolean(),
  /** Own patterns of redaction, for every export that redacts such. */
  redactPatterns: z.array(OwnPattern).max(mostOwnPatterns),
  /** Keys of commands, where they are others than the standard. */
  keys: OwnKeys,
  /** Key that opens the quick entry from every program; empty for none. */
  quickKey: QuickKey,
})
export type Preferences = z.infer<typeof Preferences>

/** Preferences of a person who has changed none. */
export const defaultPreferences: Preferences = {
  theme: 'system',
  contrast: 'system',
  density: 'comfortable',
  textZoom: 1,
  logRequests: false,
  keepPage: false,
  titles: false,
  titleModel: '',
  notifies: true,
  redactPatterns: [],
  keys: {},
  quickKey: '',
}

/** All that the window may know of the settings: never a key. */
export const VisibleSettings = z.object({
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
export type VisibleSettings = z.infer<typeof VisibleSettings>

/** A server that answered on loopback. */
export const LocalServer = z.object({
  name: z.string(),
  baseUrl: z.string(),
  models: z.array(z.string()),
})
export type LocalServer = z.infer<typeof LocalServer>

/** The heads under which keys of the configuration are shown. */
export const ConfigGroup = z.enum(['model', 'run', 'tools', 'parameters', 'compaction', 'storage'])
export type ConfigGroup = z.infer<typeof ConfigGroup>

/**
 * Kind of a value's text: `flag` is true or false; `list` has one item a line; `toml` is a value as a TOML file has
 * it; the others are as named.
 */
export const ConfigKind = z.enum(['flag', 'number', 'text', 'choice', 'list', 'toml'])
export type ConfigKind = z.infer<typeof ConfigKind>

/** A value that a place has for a key, whether it counts or not. */
export const ConfigOffer = z.object({
  origin: SettingOrigin,
  /** Such as `config.toml:12`, `CHIBI_MODEL`, `default`. */
  where: z.string(),
  /** As text; see ConfigKind. */
  value: z.string(),
})
export type ConfigOffer = z.infer<typeof ConfigOffer>

/** One key of config.toml and local.toml: what holds, where that comes from, and what else there is. Never a key of a provider. */
export const ConfigValue = z.object({
  /** As written below the root: `fuel`, `api.temperature`. */
  key: z.string(),
  name: z.string(),
  /** Its meaning, in a sentence. */
  words: z.string(),
  group: ConfigGroup,
  kind: ConfigKind,
  /** The values there are, where only some can be. */
  choices: z.array(z.string()).optional(),
  /** The value that holds; undefined where no place has one. */
  used: ConfigOffer.optional(),
  /** All places that have a value, the first one first; what counts is among them. */
  offers: z.array(ConfigOffer),
  /** The value where nothing is set; undefined where there is none. */
  fallback: z.string().optional(),
  /** Values that these files have under this very key; not what their tables of models say. */
  inConfig: ConfigOffer.optional(),
  inLocal: ConfigOffer.optional(),
  /** Whether a context's local.toml may have it. */
  isOfContexts: z.boolean(),
})
export type ConfigValue = z.infer<typeof ConfigValue>

/** File of chibi's to which a change goes. */
export const ConfigFile = z.enum(['config.toml', 'local.toml'])
export type ConfigFile = z.infer<typeof ConfigFile>

/** The keys of a home, or of one of its contexts. */
export const ConfigView = z.object({
  values: z.array(ConfigValue),
  /** Values that were not understood, with what is used instead. */
  faults: z.array(SettingFault),
  /** Files of which nothing is used, in words; they cannot be changed here. */
  broken: z.array(z.object({ file: ConfigFile, message: z.string() })),
})
export type ConfigView = z.infer<typeof ConfigView>

/** A change of one key in one file. */
export const ConfigChange = z.object({
  key: z.string().max(128),
  /** As text, see ConfigKind; null takes the key out of the file. */
  value: z.string().max(65_536).nullable(),
  file: ConfigFile,
  /** Value that the file had under this key when a person read it, null for none: where it has another now, nothing is changed. */
  was: z.string().nullable(),
})
export type ConfigChange = z.infer<typeof ConfigChange>
