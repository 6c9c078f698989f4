import type {
  ConfigFile,
  ConfigGroup,
  ConfigOffer,
  ConfigValue,
  SettingFault,
  SettingOrigin,
} from '../../../shared/model/settings/settings'

/** Names of the groups of settings, in order of display. */
export const configGroupNames: Readonly<Record<ConfigGroup, string>> = {
  model: 'Model and context window',
  run: 'Run',
  tools: 'Tools',
  parameters: 'Parameters of a request',
  compaction: 'Compaction',
  storage: 'Partitions',
}

/** Names of the origins of a setting. */
export const originNames: Readonly<Record<SettingOrigin, string>> = {
  'run-option': 'Run option',
  'chibi-environment': 'chibi’s environment',
  'local.toml': 'Context',
  'models.toml': 'Model',
  'config.toml': 'Home',
  settings: 'Settings',
  environment: 'Environment',
  default: 'Default',
  practice: 'Practice model',
}

/** Returns the candidate of a setting in the file that is edited. */
export function offerInFile(value: ConfigValue, file: ConfigFile): ConfigOffer | undefined {
  return file === 'config.toml' ? value.inConfig : value.inLocal
}

/**
 * Returns the candidate that holds in place of what the edited file has, or would have; undefined where that file
 * decides.
 */
export function overridingOffer(value: ConfigValue, file: ConfigFile): ConfigOffer | undefined {
  const { used } = value
  if (used === undefined || used.where === offerInFile(value, file)?.where) return undefined
  const below: readonly SettingOrigin[] =
    file === 'config.toml'
      ? ['settings', 'environment', 'default']
      : ['models.toml', 'config.toml', 'settings', 'environment', 'default']
  // In local.toml a model's own table comes after the keys for every model.
  const isBelow = below.includes(used.origin) || (file === 'local.toml' && used.origin === file)
  return isBelow ? undefined : used
}

/** Returns the fault of a key in the edited file, else its first fault in another one. */
export function configFaultOf(
  faults: readonly SettingFault[],
  key: string,
  file: ConfigFile,
): SettingFault | undefined {
  const ofKey = faults.filter((fault) => fault.key === key)
  return ofKey.find((fault) => isFaultIn(fault, file)) ?? ofKey[0]
}

/** Returns true where a fault is in this file. */
export function isFaultIn(fault: SettingFault, file: ConfigFile): boolean {
  return fault.file === file || fault.file.endsWith(`/${file}`)
}

/**
 * Returns the settings of the groups that contain every word of the query, in any case, in name, key, words or
 * group.
 */
export function matchingValues(
  values: readonly ConfigValue[],
  groups: readonly ConfigGroup[],
  query: string,
): readonly ConfigValue[] {
  const parts = query.toLowerCase().split(/\s+/)
  return values.filter(({ group, name, key, words }) => {
    const text = `${name} ${key} ${words} ${configGroupNames[group]}`.toLowerCase()
    return groups.includes(group) && parts.every((part) => text.includes(part))
  })
}
