import { joinFingerprints } from '../basics/fingerprint'
import type { EntryId } from '../conversation/entry'
import { hasTrait } from './message-traits'
import { originsAmong } from './origins'
import type { Outline } from './outline'

/**
 * A merged tree while it grows (see `MergedTree`, which it becomes). Arrays are as long as there are messages.
 *
 * One file adds to it place by place; nothing is ever taken back.
 */
export interface Growth {
  readonly outlines: readonly Outline[]
  count: number
  readonly parent: Int32Array
  readonly owner: Int32Array
  readonly message: Int32Array
  readonly depth: Int32Array
  readonly toolDepth: Int32Array
  readonly places: Int32Array[]
  readonly copied: (number | undefined)[]
  /** The fingerprint of all tool calls on the path to a place, and the place where such a run was first met. */
  readonly toolRun: Float64Array
  readonly toolRunPlaces: Map<number, number>
  /** The first child of each place, at one more than its number (0: the first root); those with more have maps besides. */
  readonly onlyChild: Int32Array
  readonly children: Map<number, Children>
  /** For each conversation, the one that its origin names, where that is among them. */
  readonly origins: readonly (number | undefined)[]
  readonly messageIds: Map<number, ReadonlyMap<EntryId, number>>
}

/** The first child by fingerprint, by head, and by head of those that are cut. */
interface Children {
  readonly fingerprints: Map<number, number>
  readonly heads: Map<number, number>
  readonly cutHeads: Map<number, number>
}

/** Makes an empty tree with room for all messages of these conversations. */
export function newGrowth(outlines: readonly Outline[]): Growth {
  const total = outlines.reduce((sum, outline) => sum + outline.marks.length, 0)
  return {
    outlines,
    count: 0,
    parent: new Int32Array(total),
    owner: new Int32Array(total),
    message: new Int32Array(total),
    depth: new Int32Array(total),
    toolDepth: new Int32Array(total),
    places: [],
    copied: [],
    toolRun: new Float64Array(total),
    toolRunPlaces: new Map(),
    onlyChild: new Int32Array(total + 1).fill(-1),
    children: new Map(),
    origins: originsAmong(outlines),
    messageIds: new Map(),
  }
}

/** Finds the place of an entry of conversation `i`, which is in the tree already. Undefined where it has none. */
export function placeOfEntry(
  growth: Growth,
  i: number,
  id: EntryId | undefined,
): number | undefined {
  if (id === undefined) return undefined
  const outline = outlineAt(growth, i)
  let ids = growth.messageIds.get(i)
  if (ids === undefined) {
    ids = messageIdsOf(outline)
    growth.messageIds.set(i, ids)
  }
  const message = ids.get(id)
  if (message === undefined) return undefined
  if (message > 0 || !hasTrait(outline, 0, 'ownAnchor')) return growth.places[i]?.[message]
  // Before a branch's first copy is where that copy hangs.
  const first = growth.places[i]?.[1] ?? -1
  return first === -1 ? undefined : growth.parent[first]
}

function messageIdsOf(outline: Outline): ReadonlyMap<EntryId, number> {
  const ids = new Map<EntryId, number>()
  for (let at = 0; at < outline.marks.length; at++) {
    const end = outline.starts[at + 1] ?? outline.ids.length
    for (const id of outline.ids.slice(outline.starts[at], end)) ids.set(id, at)
  }
  return ids
}

/**
 * Finds the place after `place` that already holds this message. A message that cycod cut is found by the beginning
 * that cycod left.
 */
export function findChild(
  growth: Growth,
  place: number,
  outline: Outline,
  at: number,
): number | undefined {
  const fingerprint = outline.marks[at] ?? 0
  const head = outline.heads[at] ?? 0
  const isCut = hasTrait(outline, at, 'snipped')
  const children = growth.children.get(place)
  if (children !== undefined)
    return (
      children.fingerprints.get(fingerprint) ??
      (head === 0 ? undefined : (isCut ? children.heads : children.cutHeads).get(head))
    )
  const child = onlyChild(growth, place)
  if (child === undefined) return undefined
  const owner = outlineAt(growth, growth.owner[child] ?? 0)
  const message = growth.message[child] ?? 0
  if (owner.marks[message] === fingerprint) return child
  const isOneCut = isCut || hasTrait(owner, message, 'snipped')
  return head !== 0 && isOneCut && owner.heads[message] === head ? child : undefined
}

/** Adds a place after `before` (-1: a root) for a message that the tree does not have, and returns it. */
export function addPlace(growth: Growth, before: number, owner: number, message: number): number {
  const outline = outlineAt(growth, owner)
  const tool = outline.tools[message] ?? 0
  const place = growth.count++
  growth.parent[place] = before
  growth.owner[place] = owner
  growth.message[place] = message
  growth.depth[place] = 1 + (growth.depth[before] ?? 0)
  growth.toolDepth[place] = (tool === 0 ? 0 : 1) + (growth.toolDepth[before] ?? 0)
  const run = growth.toolRun[before] ?? 0
  growth.toolRun[place] = tool === 0 ? run : joinFingerprints(run, tool)
  if (tool !== 0 && !growth.toolRunPlaces.has(growth.toolRun[place] ?? 0))
    growth.toolRunPlaces.set(growth.toolRun[place] ?? 0, place)
  addChild(growth, before, place)
  return place
}

function addChild(growth: Growth, before: number, place: number): void {
  const only = onlyChild(growth, before)
  if (only === undefined) {
    growth.onlyChild[before + 1] = place
    return
  }
  let children = growth.children.get(before)
  if (children === undefined) {
    children = { fingerprints: new Map(), heads: new Map(), cutHeads: new Map() }
    growth.children.set(before, children)
    register(growth, children, only)
  }
  register(growth, children, place)
}

function register(growth: Growth, children: Children, place: number): void {
  const outline = outlineAt(growth, growth.owner[place] ?? 0)
  const message = growth.message[place] ?? 0
  setFirst(children.fingerprints, outline.marks[message] ?? 0, place)
  const head = outline.heads[message] ?? 0
  if (head === 0) return
  setFirst(children.heads, head, place)
  if (hasTrait(outline, message, 'snipped')) setFirst(children.cutHeads, head, place)
}

function setFirst(map: Map<number, number>, fingerprint: number, place: number): void {
  if (!map.has(fingerprint)) map.set(fingerprint, place)
}

function onlyChild(growth: Growth, place: number): number | undefined {
  const child = growth.onlyChild[place + 1] ?? -1
  return child === -1 ? undefined : child
}

/** Returns the outline of conversation `i`. Throws an Error where there is none. */
export function outlineAt(growth: Growth, i: number): Outline {
  const outline = growth.outlines[i]
  if (outline === undefined) throw new Error(`no conversation ${i} in the tree`)
  return outline
}

/** Makes a text that is the same for the same source and key only. */
export function conversationIdentity({
  source,
  key,
}: {
  readonly source: string
  readonly key: string
}): string {
  return `${source} ${key}`
}
