import { isDeeperThan } from '../../../shared/model/basics/json-depth'
import { jsonOfAnyDepth } from '../../disk/json/json-write'
import { runAtOnce, type Sliced } from '../../disk/pacing/slices'

type Metadata = Readonly<Record<string, unknown>>

/**
 * Levels that a field of an entry's metadata may have. chibi's parser takes 127 of a whole line, Electron hands on some
 * hundreds between processes, and JSON.stringify fails at some thousands.
 */
const deepestField = 100

/** Where the fields stand that were nested too deeply: each as its whole JSON text, by its name. */
const deepFields = 'deep_fields'

/**
 * Replaces metadata fields that are nested too deeply by their JSON text in `deep_fields`, so that they can be written
 * and sent between processes and none is lost. Returns the same object where nothing is too deep. Does not recurse by
 * their depth.
 */
export function flattenDeepFields(metadata: Metadata): Metadata {
  const tooDeep = tooDeepIn(metadata)
  return tooDeep.length === 0 ? metadata : runAtOnce(moved(metadata, tooDeep))
}

/** Flattens like `flattenDeepFields`, in slices, for metadata of any size. */
export function* flattenDeepFieldsInSlices(metadata: Metadata): Sliced<Metadata> {
  const tooDeep = tooDeepIn(metadata)
  return tooDeep.length === 0 ? metadata : yield* moved(metadata, tooDeep)
}

function tooDeepIn(metadata: Metadata): readonly string[] {
  return Object.keys(metadata).filter((key) => isDeeperThan(metadata[key], deepestField))
}

function* moved(metadata: Metadata, tooDeep: readonly string[]): Sliced<Metadata> {
  // What a file has under our name already must not be lost by it.
  const names = new Set(metadata[deepFields] === undefined ? tooDeep : [...tooDeep, deepFields])
  const shallow = Object.entries(metadata).filter(([key]) => !names.has(key))
  const texts: [string, string][] = []
  for (const key of names) texts.push([key, yield* jsonOfAnyDepth(metadata[key])])
  // Not by assigning: a field may be named `__proto__`.
  return Object.fromEntries([...shallow, [deepFields, Object.fromEntries(texts)]])
}
