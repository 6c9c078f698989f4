import type {
  ConfigFile,
  ConfigGroup,
  ConfigOffer,
  ConfigValue,
  SettingFault,
  SettingOrigin,
} from '../../../shared/model/settings/settings'

/** The heads of the groups, in the order in which they stand. */
export const configGroupNames: Readonly<Record<ConfigGroup, string>> = {
  model: 'Model and context window',
  run: 'Run',
  tools: 'Tools',
  parameters: 'Parameters of a request',
  compaction: 'Compaction',
  storage: 'Partitions',
}

/** What a place is called. */
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

/** What the file that is changed says under a key. */
export function offerInFile(value: ConfigValue, file: ConfigFile): ConfigOffer | undefined {
  return file === 'config.toml' ? value.inConfig : value.inLocal
}

/** The place that counts though the file has, or would have, another value. */
export function overridingOffer(value: ConfigValue, file: ConfigFile): ConfigOffer | undefined {
  const { used } = value
  if (used === undefined || used.where === offerInFile(value, file)?.where) return undefined
  const below: readonly SettingOrigin[] =
    file === 'config.toml'
      ? ['settings', 'environment', 'default']
      : ['models.toml', 'config.toml', 'settings', 'environment', 'default']
  // A context's own table of the model stands below what is set there for every model.
  const isBelow = below.includes(used.origin) || (file === 'local.toml' && used.origin === file)
  return isBelow ? undefined : used
}

/** The fault of a key in the file that is changed, or else in another one. */
export function configFaultOf(
  faults: readonly SettingFault[],
  key: string,
  file: ConfigFile,
): SettingFault | undefined {
  const ofKey = faults.filter((fault) => fault.key === key)
  return ofKey.find((fault) => isFaultIn(fault, file)) ?? ofKey[0]
}

/** Whether a fault stands in this file. */
export function isFaultIn(fault: SettingFault, file: ConfigFile): boolean {
  return fault.file === file || fault.file.endsWith(`/${file}`)
}

/** The values of the groups that hold all that is looked for: in the name, the key or the words. */
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
