import fs from 'node:fs'
import path from 'node:path'
import { type CheckedEntry, entriesOf } from './entry'
import { type Faults, isCount, isObject, type JsonObject, misplacedKeys } from './faults'
import { readPretty } from './small-files'

const manifestKeys = ['version', 'active_partition', 'partitions', 'rotation_policy']
const partitionKeys = [
  'file',
  'start_ts',
  'end_ts',
  'entry_count',
  'prompt_count',
  'token_count',
  'bloom_file',
]

/** The entries of the archived partitions, in the manifest's order, which must name them all and count them right. */
export function readPartitions(
  home: string,
  folder: string,
  bytesPerToken: number,
  faults: Faults,
): readonly CheckedEntry[] {
  const transcript = `${folder}/transcript`
  const file = `${transcript}/manifest.json`
  const manifest = readPretty(home, file, faults)
  const listed = manifest === undefined ? [] : checkManifest(file, manifest, faults)
  const entries: CheckedEntry[] = []
  const named = new Set<string>()
  for (const partition of listed) {
    const name = String(partition.file)
    if (named.has(name)) faults.add(file, undefined, `names ${name} twice`)
    named.add(name)
    if (typeof partition.bloom_file === 'string') named.add(partition.bloom_file)
    entries.push(...checkPartition(home, transcript, partition, bytesPerToken, faults))
  }
  for (const name of names(path.join(home, transcript, 'partitions')))
    if (!named.has(`partitions/${name}`) && !/\.tmp\.\d+$/.test(name))
      faults.add(`${transcript}/partitions/${name}`, undefined, 'no manifest names it')
  return entries
}

function names(folder: string): readonly string[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort() : []
}

function checkManifest(file: string, manifest: JsonObject, faults: Faults): readonly JsonObject[] {
  const fault = (words: string) => faults.add(file, undefined, words)
  const misplaced = misplacedKeys(manifest, manifestKeys)
  if (misplaced.length > 0) fault(`the keys are not in order: ${misplaced.join(', ')}`)
  if (manifest.version !== 1) fault('"version" is 1')
  if (manifest.active_partition !== 'active.jsonl') fault('"active_partition" is active.jsonl')
  const policy = manifest.rotation_policy
  if (!isObject(policy) || !isCount(policy.max_entries) || !isCount(policy.max_age_seconds))
    fault('"rotation_policy" has max_entries and max_age_seconds')
  else if ('max_tokens' in policy && !isCount(policy.max_tokens))
    fault('"max_tokens" is a number where it stands')
  if (Array.isArray(manifest.partitions)) return manifest.partitions.filter(isObject)
  fault('"partitions" is a list')
  return []
}

function checkPartition(
  home: string,
  transcript: string,
  partition: JsonObject,
  bytesPerToken: number,
  faults: Faults,
): readonly CheckedEntry[] {
  const fault = (words: string) => faults.add(`${transcript}/manifest.json`, undefined, words)
  const name = String(partition.file)
  const misplaced = misplacedKeys(partition, partitionKeys)
  if (misplaced.length > 0) fault(`${name}: the keys are not in order: ${misplaced.join(', ')}`)
  const times = /^partitions\/(\d+)-(\d+)(?:-\d+)?\.jsonl$/.exec(name)
  if (times === null) {
    fault(`"${name}" is no name of a partition`)
    return []
  }
  if (!isFile(path.join(home, transcript, name))) {
    fault(`${name} is not there`)
    return []
  }
  const entries = entriesOf(home, `${transcript}/${name}`, faults)
  const sum = (of: (entry: CheckedEntry) => number) =>
    entries.reduce((total, entry) => total + of(entry), 0)
  const facts: readonly (readonly [string, number | undefined, boolean])[] = [
    ['start_ts', entries[0]?.timestamp, true],
    ['end_ts', entries.at(-1)?.timestamp, true],
    ['entry_count', entries.length, true],
    ['prompt_count', sum((e) => (e.type === 'message' && e.role === 'user' ? 1 : 0)), false],
    ['token_count', sum((e) => Math.ceil(Buffer.byteLength(e.content) / bytesPerToken)), false],
  ]
  for (const [key, right, isRequired] of facts)
    if ((isRequired || key in partition) && partition[key] !== right)
      fault(`${name}: "${key}" is ${right}, not ${String(partition[key])}`)
  if (Number(times[1]) !== entries[0]?.timestamp || Number(times[2]) !== entries.at(-1)?.timestamp)
    fault(`${name} is not named after its first and last entry`)
  const { bloom_file: bloom } = partition
  if (typeof bloom === 'string' && !isFile(path.join(home, transcript, bloom)))
    fault(`${bloom} is not there`)
  return entries
}

function isFile(place: string): boolean {
  return fs.existsSync(place) && fs.lstatSync(place).isFile()
}
