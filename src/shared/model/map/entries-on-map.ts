import { z } from 'zod'
import { LibraryKey, libraryKeyOf } from '../conversation/conversation'
import { EntryId } from '../conversation/entry'
import { type MergedTree, mergeTree } from '../family/merge'
import type { Outline } from '../family/outline'

/** Entry by the id that a conversation gives it. */
export const EntryName = z.object({ key: LibraryKey, entry: EntryId })
export type EntryName = z.infer<typeof EntryName>

/**
 * Finds the names under which the map of a group (`groupRelatives`) has entries that its conversations hold: a copy is on
 * the map as the entry that it is a copy of. What is on no map, such as the anchor of a branch, has the name of the next
 * entry that is. Null where the conversation has no such entry. Near-linear in the messages.
 */
export function entriesOnMap(
  group: readonly Outline[],
  wanted: readonly EntryName[],
): readonly (EntryName | null)[] {
  const tree = mergeTree(group)
  const conversations = new Map(
    tree.outlines.map((outline, i) => [libraryKeyOf(outline.source, outline.key), i]),
  )
  const indexes = new Map<number, ReadonlyMap<string, number>>()
  const indexOf = (i: number) => {
    const known = indexes.get(i) ?? entriesOf(tree.outlines[i])
    indexes.set(i, known)
    return known
  }
  return wanted.map(({ key, entry }) => {
    const i = conversations.get(key)
    const at = i === undefined ? undefined : indexOf(i).get(entry)
    return i === undefined || at === undefined ? null : nameOnMap(tree, i, at)
  })
}

function entriesOf(outline: Outline | undefined): ReadonlyMap<string, number> {
  return new Map(outline?.ids.map((id, at) => [id, at]))
}

/** @param at position in the ids of conversation `i` */
function nameOnMap(tree: MergedTree, i: number, at: number): EntryName | null {
  const places = tree.places[i]
  const starts = tree.outlines[i]?.starts ?? []
  if (places === undefined) return null
  const message = messageAt(starts, at)
  const shown = nearestShown(places, message)
  const place = places[shown] ?? -1
  const owner = tree.outlines[tree.owner[place] ?? -1]
  if (owner === undefined) return null
  const own = tree.message[place] ?? 0
  const [from, to] = [owner.starts[own] ?? 0, owner.starts[own + 1] ?? 0]
  const part = shown === message ? at - (starts[message] ?? 0) : 0
  const id = owner.ids[Math.min(from + part, to - 1)]
  return id === undefined ? null : { key: libraryKeyOf(owner.source, owner.key), entry: id }
}

/** Finds the first message from one on that is on the map, else the last before it; -1 where none is. Looks at those between alone. */
function nearestShown(places: Int32Array, message: number): number {
  let at = message
  while (at < places.length && places[at] === -1) at++
  if (at < places.length) return at
  at = message - 1
  while (at >= 0 && places[at] === -1) at--
  return at
}

/** Finds the last message that begins at an entry or before it. */
function messageAt(starts: readonly number[], at: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle + 1] ?? Number.POSITIVE_INFINITY) <= at) low = middle + 1
    else high = middle
  }
  return low
}
