import type { ComparePoint } from '../../../shared/model/comparison/comparison-view'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { libraryKeyOf } from '../../../shared/model/conversation/conversation'
import { messageTrait } from '../../../shared/model/family/message-traits'
import { messagesOf } from '../../../shared/model/map/fact-sums'
import type { FamilyMap } from '../../../shared/model/map/family-map'
import type { MapState } from './map'
import type { EntryPlace } from './preview'

/** Returns a node as one side of a comparison: where its conversation is now if that is its end, else up to its last entry. */
export function nodeComparePoint(map: FamilyMap, id: string): ComparePoint | undefined {
  const position = map.nodes.findIndex((node) => node.id === id)
  const node = map.nodes[position]
  if (node === undefined) return undefined
  const key = libraryKeyOf(node.source, node.key)
  const isEnd = map.conversations.some((one) => one.key === key && one.leaf === position)
  return isEnd ? { key } : { key, entry: node.toEntry }
}

/** Two sides of a comparison. */
interface ComparedPoints {
  readonly left: ComparePoint
  readonly right: ComparePoint
  /** The id of the node that the right side is. */
  readonly node: string
}

/**
 * Returns the open conversation of a map and what it is compared with: B where a node is marked, else the given node.
 * Undefined where neither is another branch.
 */
export function comparedPoints(
  { map, key, marked }: Pick<MapState, 'map' | 'key' | 'marked'>,
  node: string | undefined,
): ComparedPoints | undefined {
  const other = marked ?? node
  if (map == null || key === undefined || other === undefined) return undefined
  const leaf = map.conversations.find((one) => one.key === key)?.leaf
  const right = nodeComparePoint(map, other)
  if (right === undefined || map.nodes[leaf ?? -1]?.id === other) return undefined
  return { left: { key }, right, node: other }
}

/**
 * Finds the person's message with which a node begins: in the shown conversation where it is known there, else in the
 * oldest that holds the node. Undefined where somebody else speaks first, and in a subagent.
 */
export function ownBeginning(map: FamilyMap, key: LibraryKey, id: string): EntryPlace | undefined {
  const position = map.nodes.findIndex((node) => node.id === id)
  const node = map.nodes[position]
  if (node === undefined || node.kind === 'subagent') return undefined
  const { facts } = map
  const { from, to } = messagesOf(facts, position)
  const speaks = messageTrait.human | messageTrait.machine
  for (let at = from; at < to; at++) {
    const traits = facts.traits[at] ?? 0
    if ((traits & speaks) === 0) continue
    const entry = facts.ids[facts.entries[at] ?? -1]
    if ((traits & messageTrait.human) === 0 || entry === undefined) return undefined
    const here = map.path.find((part) => part.node === id)
    // A copy of another system's entries has ids of its own, of which the map knows the first.
    if (here !== undefined && entry === node.fromEntry) return { key, entry: here.firstEntry }
    return here !== undefined && here.firstEntry === node.fromEntry
      ? { key, entry }
      : { key: libraryKeyOf(node.source, node.key), entry }
  }
  return undefined
}
