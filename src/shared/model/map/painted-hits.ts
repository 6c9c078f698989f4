import { type LibraryKey, libraryKeyOf } from '../conversation/conversation'
import type { EntryId } from '../conversation/entry'
import type { EntryName } from './entries-on-map'
import type { EntryPositions } from './entry-positions'
import { messagesOf } from './fact-sums'
import type { FamilyMap } from './family-map'
import type { FilteredMap } from './filters'

/** Entries of one conversation in which hits are, each as often as it has hits. */
export interface FoundEntries {
  readonly source: string
  readonly key: string
  readonly entries: readonly EntryId[]
}

/** Hit of a search on a map, by the name that the search gives its entry. */
export interface PaintedHit extends EntryName {
  /** Position of its message in the whole map. */
  readonly message: number
  /** Position of its node in the whole map. */
  readonly node: number
}

/** Hits of a search at the messages of a map. Every hit is at exactly one message. */
export interface PaintedHits {
  /** In the order of the map: by node, and in it by message. */
  readonly list: readonly PaintedHit[]
  /** By message of the whole map: its number of hits. */
  readonly ofMessage: Uint32Array
  /** By node: its number of hits. */
  readonly ofNode: Uint32Array
}

/** Names of entries on the map by `nameOf`. */
export type NamesOnMap = ReadonlyMap<string, EntryName>

/** Returns a text that is equal for equal names. */
export function nameOf({ key, entry }: EntryName): string {
  return `${key}\n${entry}`
}

/** Lists the entries of hits that the map has under another name, or not at all, each once. Linear in the hits. */
export function unknownOnMap(
  positions: EntryPositions,
  places: readonly FoundEntries[],
): readonly EntryName[] {
  const unknown = new Map<string, EntryName>()
  for (const { source, key: own, entries } of places) {
    const key = libraryKeyOf(source, own)
    for (const entry of entries)
      if (positions(key, entry) === undefined) unknown.set(nameOf({ key, entry }), { key, entry })
  }
  return [...unknown.values()]
}

/**
 * Puts hits at the messages of a map. An entry that the map does not have yet is at the last message of its
 * conversation: there it will be. n log n in the hits.
 *
 * @param positions of the same map
 * @param names of entries that the map has under another name
 */
export function paintHits(
  map: FamilyMap,
  positions: EntryPositions,
  places: readonly FoundEntries[],
  names: NamesOnMap = new Map(),
): PaintedHits {
  const { facts, nodes, conversations } = map
  const leaves = new Map(conversations.map(({ key, leaf }) => [key, leaf]))
  const positionOf = (name: EntryName): number | undefined => {
    const own = positions(name.key, name.entry)
    if (own !== undefined) return own
    const shown = names.get(nameOf(name))
    const leaf = leaves.get(name.key)
    return (
      (shown && positions(shown.key, shown.entry)) ??
      (leaf === undefined ? undefined : messagesOf(facts, leaf).to - 1)
    )
  }
  const found: { key: LibraryKey; entry: EntryId; message: number; node: number }[] = []
  for (const { source, key: own, entries } of places) {
    const key = libraryKeyOf(source, own)
    for (const entry of entries) {
      const message = positionOf({ key, entry })
      if (message !== undefined) found.push({ key, entry, message, node: 0 })
    }
  }
  // Hits of one message stay in the order in which they were found.
  found.sort((a, b) => a.message - b.message)
  const ofMessage = new Uint32Array(facts.traits.length)
  const ofNode = new Uint32Array(nodes.length)
  let node = 0
  for (const hit of found) {
    while (hit.message >= messagesOf(facts, node).to && node < nodes.length - 1) node++
    hit.node = node
    ofNode[node] = (ofNode[node] ?? 0) + 1
    ofMessage[hit.message] = (ofMessage[hit.message] ?? 0) + 1
  }
  return { list: found, ofMessage, ofNode }
}

/** Hits that a filtered map shows, and how many there are elsewhere. */
export interface MapHits {
  /** In the order of the map. */
  readonly list: readonly PaintedHit[]
  /** By node, and by message, of the filtered map: its number of shown hits. */
  readonly ofNode: Uint32Array
  readonly ofMessage: Uint32Array
  /** Hits in the whole family. */
  readonly total: number
  /** Of them, those in nodes off the open path. */
  readonly inLeftBranches: number
  /** Of them, those in messages that the filter leaves out, or in hidden branches. */
  readonly notShown: number
}

/**
 * Finds the hits that a filtered map shows. Linear in its messages and in the hits.
 *
 * @param openPath ids of the nodes of the open path
 */
export function hitsOnFilteredMap(
  whole: FamilyMap,
  { map, origins, messages }: FilteredMap,
  hits: PaintedHits,
  openPath: ReadonlySet<string>,
): MapHits {
  const places = new Int32Array(whole.nodes.length).fill(-1)
  origins.forEach((origin, node) => {
    places[origin] = node
  })
  const isShown = new Uint8Array(hits.ofMessage.length)
  const ofMessage = Uint32Array.from(messages, (origin) => {
    isShown[origin] = 1
    return hits.ofMessage[origin] ?? 0
  })
  const ofNode = new Uint32Array(map.nodes.length)
  const list = hits.list.filter(({ message, node }) => {
    const place = places[node] ?? -1
    if (isShown[message] !== 1 || place < 0) return false
    ofNode[place] = (ofNode[place] ?? 0) + 1
    return true
  })
  const total = hits.list.length
  const inLeftBranches = hits.ofNode.reduce(
    (sum, count, node) => (openPath.has(whole.nodes[node]?.id ?? '') ? sum : sum + count),
    0,
  )
  return { list, ofNode, ofMessage, total, inLeftBranches, notShown: total - list.length }
}

/** Place from which the next hit is looked for: the hit that was reached last, else a node by its position. */
export interface HitStart {
  readonly hit: PaintedHit | undefined
  readonly node: number | undefined
}

/**
 * Finds the hit after or before a place, around the ends: from a hit the next one, from a node its first, or the last
 * before its end. Undefined without hits.
 */
export function nextHit(
  list: readonly PaintedHit[],
  { hit, node = 0 }: HitStart,
  step: 1 | -1,
): PaintedHit | undefined {
  const at = hit === undefined ? -1 : list.indexOf(hit)
  if (at >= 0) return list[(at + step + list.length) % list.length]
  const from =
    step === 1
      ? list.findIndex((one) => one.node >= node)
      : list.findLastIndex((one) => one.node <= node)
  return list[from] ?? list.at(step === 1 ? 0 : -1)
}

/** Finds a hit again in a later list, by the name of its entry. */
export function sameHit(
  list: readonly PaintedHit[],
  hit: PaintedHit | undefined,
): PaintedHit | undefined {
  if (hit === undefined) return undefined
  return list.find(({ key, entry }) => key === hit.key && entry === hit.entry)
}
