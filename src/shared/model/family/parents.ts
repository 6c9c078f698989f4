import { pushAll } from '../basics/long-lists'
import type { ConversationKey } from '../conversation/conversation'
import type { EntryId } from '../conversation/entry'
import type { MergedTree } from './merge'
import { hasTrait } from './message-traits'
import type { Outline } from './outline'

/** Relation of a conversation to its relatives: the `parent`, `inherited` and shared ids of `skein read`. */
export interface Kinship {
  readonly source: string
  readonly key: ConversationKey
  readonly parent:
    | {
        readonly source: string
        readonly key: ConversationKey
        /** Leading entries shared with it; an anchor of ours before them is not counted. */
        readonly entries: number
        /** The same in messages (lines of the source): the index of the first that differs. */
        readonly messages: number
      }
    | undefined
  /**
   * The ids that the oldest conversation gives to the leading entries that it holds as well. For formats without ids:
   * there they take the place of this file's own `L<line>`.
   */
  readonly sharedIds: readonly EntryId[]
  /**
   * The positions of the entries that an older conversation holds as well, for a conversation with parent ids inside:
   * there they need not be the leading ones. Undefined for all others.
   */
  readonly copies: readonly number[] | undefined
}

/**
 * Finds the parents in a merged group, one result for each of `tree.outlines`. Near-linear in the messages. The
 * origin that a context of ours names is its parent. Without one, a parent is a conversation that ends on this one's
 * path, or whose tool calls are the beginning, but not all, of this one's; of several the one that shares most, then
 * the older. It may be younger than its child: cycod's continued files often are. Siblings that parted from a file
 * that is gone have no parent; the tree still shows what they share. With parent ids inside, the parent is the oldest
 * conversation that holds the last entry that this one repeats.
 */
export function kinshipsOf(tree: MergedTree): readonly Kinship[] {
  const ends = endsByPlace(tree)
  const tails = tailsByPlace(tree)
  return tree.outlines.map((outline, i) => ({
    source: outline.source,
    key: outline.key,
    parent: originParent(tree, i) ?? sharedParent(tree, i, ends, tails) ?? copiedParent(tree, i),
    sharedIds: sharedIdsOf(tree, i),
    copies:
      outline.strands === undefined ? undefined : copiesOf(tree, i).flatMap(entriesOf(outline)),
  }))
}

function originParent(tree: MergedTree, i: number): Kinship['parent'] {
  const copied = tree.copied[i]
  const outline = tree.outlines[i]
  // As it is called now, whatever it was called when the branch was made.
  const parent = tree.outlines[tree.origins[i] ?? -1]
  if (copied === undefined || outline === undefined || parent === undefined) return undefined
  const { source, key } = parent
  return { source, key, entries: (outline.starts[1 + copied] ?? 0) - 1, messages: copied }
}

/** The oldest conversation that ends at a place. */
function endsByPlace(tree: MergedTree): ReadonlyMap<number, number> {
  const ends = new Map<number, number>()
  tree.outlines.forEach((outline, i) => {
    const end = tree.places[i]?.at(-1) ?? -1
    if (outline.strands === undefined && end !== -1 && !ends.has(end)) ends.set(end, i)
  })
  return ends
}

/** The oldest conversation that gets no further tool result after a place on its way: a last call may be unanswered. */
function tailsByPlace(tree: MergedTree): ReadonlyMap<number, number> {
  const tails = new Map<number, number>()
  tree.outlines.forEach((outline, i) => {
    const places = tree.places[i] ?? new Int32Array()
    if (outline.strands !== undefined) return
    let isAnswered = false
    for (let at = places.length - 1; at >= 0; at--) {
      const place = places[at] ?? -1
      if (place === -1 || (tree.toolDepth[place] ?? 0) === 0) return
      if (!tails.has(place)) tails.set(place, i)
      isAnswered ||= hasTrait(outline, at, 'result')
      if (outline.tools[at] !== 0 && isAnswered) return
    }
  })
  return tails
}

function sharedParent(
  tree: MergedTree,
  i: number,
  ends: ReadonlyMap<number, number>,
  tails: ReadonlyMap<number, number>,
): Kinship['parent'] {
  const outline = tree.outlines[i]
  const places = tree.places[i]
  const end = places?.at(-1) ?? -1
  if (outline === undefined || places === undefined || end === -1 || outline.strands !== undefined)
    return undefined
  const toolCalls = tree.toolDepth[end] ?? 0
  // From the end upward: the first that is met shares most.
  for (let place = tree.parent[end] ?? -1; place !== -1; place = tree.parent[place] ?? -1) {
    const found = [
      ends.get(place),
      (tree.toolDepth[place] ?? 0) < toolCalls ? tails.get(place) : undefined,
    ].filter((candidate) => candidate !== undefined && candidate !== i)
    if (found.length === 0) continue
    const parent = tree.outlines[Math.min(...found.map((candidate) => candidate ?? 0))]
    if (parent === undefined) return undefined
    const messages = messagesUpTo(tree, places, place)
    const first = hasTrait(outline, 0, 'ownAnchor') ? 1 : 0
    return {
      source: parent.source,
      key: parent.key,
      entries: (outline.starts[messages] ?? 0) - (outline.starts[first] ?? 0),
      messages: messages - first,
    }
  }
  return undefined
}

/** The messages of a conversation with parents that an older one holds as well. */
function copiesOf(tree: MergedTree, i: number): readonly number[] {
  const copies: number[] = []
  tree.places[i]?.forEach((place, message) => {
    if (place !== -1 && tree.owner[place] !== i) copies.push(message)
  })
  return copies
}

/** Of those that hold the last of its copies, the oldest; entries without ids that come between copies are not among them. */
function copiedParent(tree: MergedTree, i: number): Kinship['parent'] {
  const outline = tree.outlines[i]
  if (outline?.strands === undefined) return undefined
  const copies = copiesOf(tree, i)
  const owner = tree.owner[tree.places[i]?.[copies.at(-1) ?? -1] ?? -1]
  const parent = owner === undefined ? undefined : tree.outlines[owner]
  if (parent === undefined) return undefined
  const entries = copies.flatMap(entriesOf(outline)).length
  return { source: parent.source, key: parent.key, entries, messages: copies.length }
}

function entriesOf({ starts }: Outline): (message: number) => readonly number[] {
  return (message) => {
    const start = starts[message] ?? 0
    return Array.from({ length: (starts[message + 1] ?? start) - start }, (_, part) => start + part)
  }
}

/** Counts the leading messages at a place or above it. */
function messagesUpTo(tree: MergedTree, places: Int32Array, place: number): number {
  let messages = places.length
  while (messages > 0 && (tree.depth[places[messages - 1] ?? -1] ?? 0) > (tree.depth[place] ?? 0))
    messages--
  return messages
}

function sharedIdsOf(tree: MergedTree, i: number): readonly EntryId[] {
  const outline = tree.outlines[i]
  const places = tree.places[i] ?? new Int32Array()
  const ids: EntryId[] = []
  if (outline === undefined || outline.strands !== undefined) return ids
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? -1
    const owner = place === -1 ? undefined : tree.outlines[tree.owner[place] ?? 0]
    if (owner === outline) break
    pushAll(ids, idsOf(outline, at, owner, place === -1 ? 0 : (tree.message[place] ?? 0)))
  }
  return ids
}

/** An owner's ids for a message where both have the same parts and none has ids that mean more; else its own. */
function idsOf(
  outline: Outline,
  at: number,
  owner: Outline | undefined,
  message: number,
): readonly EntryId[] {
  const own = outline.ids.slice(outline.starts[at], outline.starts[at + 1])
  const theirs = owner?.ids.slice(owner.starts[message], owner.starts[message + 1]) ?? own
  return theirs.length === own.length && !hasTrait(outline, at, 'byId') ? theirs : own
}
