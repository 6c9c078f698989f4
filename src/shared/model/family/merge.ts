import { joinFingerprints } from '../basics/fingerprint'
import type { EntryId } from '../conversation/entry'
import { cannotRepeat } from './entry-identity'
import type { ContextOrigin } from './family'
import {
  addPlace,
  conversationIdentity,
  findChild,
  type Growth,
  newGrowth,
  outlineAt,
  placeOfEntry,
} from './growth'
import { hasTrait } from './message-traits'
import { originsAmong } from './origins'
import { messagesIn, type Outline } from './outline'

/**
 * Relatives as one tree: every message that exists once has one place, however many files repeat it.
 *
 * Places are numbered parents first. `owner` and `message` say where a place was first met: in the oldest
 * conversation that holds it.
 */
export interface MergedTree {
  /** Oldest first, but none before its origin. */
  readonly outlines: readonly Outline[]
  readonly count: number
  /** The place before; -1 for a root. */
  readonly parent: Int32Array
  /** Position in `outlines`. */
  readonly owner: Int32Array
  readonly message: Int32Array
  /** Messages from the root to the place, itself included. */
  readonly depth: Int32Array
  /** Of them, those with tool calls or results that cannot repeat. */
  readonly toolDepth: Int32Array
  /** For each conversation, the place of each of its messages; -1 for an anchor of ours, which is not in the tree. */
  readonly places: readonly Int32Array[]
  /** For each conversation, how many of its leading messages, the anchor not counted, an origin says were copied. */
  readonly copied: readonly (number | undefined)[]
  /** For each conversation, the position of the one that its origin names, where that is among them. */
  readonly origins: readonly (number | undefined)[]
}

/**
 * Merges conversations of one group (`groupRelatives`) into a tree. Near-linear in their messages.
 *
 * A prefix is shared by, in this order: the origin that a context of ours names; equal runs of tool
 * call ids, whatever was cut or changed between them; then, message by message, equal ids, else equal role and text.
 */
export function mergeTree(group: readonly Outline[]): MergedTree {
  const outlines = inBirthOrder(group)
  const growth = newGrowth(outlines)
  outlines.forEach((outline, i) => {
    if (outline.strands === undefined) addLine(growth, i)
    else addStrands(growth, i, outline.strands)
  })
  return growth
}

function addLine(growth: Growth, i: number): void {
  const outline = outlineAt(growth, i)
  const length = outline.marks.length
  const places = new Int32Array(length).fill(-1)
  growth.places[i] = places
  const isBranch = length > 0 && hasTrait(outline, 0, 'ownAnchor')
  const copies = isBranch ? placeCopies(growth, i, places) : undefined
  growth.copied[i] = copies?.count
  const run =
    copies === undefined ? placeToolRun(growth, outline, places, isBranch ? 1 : 0) : undefined
  let at = copies === undefined ? (run?.next ?? 0) : 1 + copies.count
  let place = copies === undefined ? (run?.place ?? -1) : copies.place
  for (; at < length; at++) {
    const child = findChild(growth, place, outline, at)
    if (child === undefined) break
    place = child
    places[at] = place
  }
  for (; at < length; at++) {
    place = addPlace(growth, place, i, at)
    places[at] = place
  }
  // A branch without messages of its own is its anchor: there is something to go to.
  if (isBranch && length === 1 + (copies?.count ?? 0)) places[0] = addPlace(growth, place, i, 0)
}

function addStrands(growth: Growth, i: number, strands: NonNullable<Outline['strands']>): void {
  const outline = outlineAt(growth, i)
  const places = new Int32Array(outline.marks.length).fill(-1)
  growth.places[i] = places
  growth.copied[i] = undefined
  for (const at of strands.order) {
    const before = strands.before[at] ?? -1
    const place = before === -1 ? -1 : (places[before] ?? -1)
    const child = findChild(growth, place, outline, at)
    // Two siblings of one file are two, also when they say the same: a second try with the same outcome.
    const isOther =
      child !== undefined && (growth.owner[child] !== i || hasTrait(outline, at, 'byId'))
    places[at] = isOther ? child : addPlace(growth, place, i, at)
  }
}

/** Places the copies that an origin in the group vouches for; undefined without one. */
function placeCopies(
  growth: Growth,
  i: number,
  places: Int32Array,
): { readonly count: number; readonly place: number } | undefined {
  const outline = outlineAt(growth, i)
  const { origin } = outline
  const from = growth.origins[i]
  if (origin === undefined || from === undefined || from >= i) return undefined
  const named = messagesIn(outline, 1 + origin.entries) - 1
  const allIds = Array.from({ length: named }, (_, c) => outline.ids[outline.starts[1 + c] ?? 0])
  const copyIds = allIds.slice(0, countCopies(growth, from, origin, allIds))
  const count = copyIds.length
  // Where the named entry is gone (somebody cut the file), the last copy that is there still shows the place.
  const known = [origin.entry ?? undefined, ...copyIds.slice().reverse()]
  const place = known
    .map((id) => placeOfEntry(growth, from, id))
    .find((found) => found !== undefined)
  let above = place ?? -1
  for (let at = count; at >= 1; at--) {
    const own = placeOfEntry(growth, from, copyIds[at - 1])
    if (own !== undefined) above = own
    else if (at < count)
      above =
        placeOfEntry(growth, from, originalOf(outlineAt(growth, from), origin, count - at)) ??
        growth.parent[above] ??
        -1
    if (above === -1) break
    places[at] = above
  }
  return { count, place: place ?? -1 }
}

/**
 * Copies of a context keep their ids. A damaged one is no entry: the number that the origin names would reach into what
 * the branch says itself, so messages at its end that the parent does not have are none.
 */
function countCopies(
  growth: Growth,
  from: number,
  { source, entry }: ContextOrigin,
  ids: readonly (EntryId | undefined)[],
): number {
  if (source !== 'chibi' || entry === null || !cannotRepeat(entry)) return ids.length
  const last = ids.findLastIndex((id) => placeOfEntry(growth, from, id) !== undefined)
  return last >= 0 || placeOfEntry(growth, from, entry) !== undefined ? last + 1 : ids.length
}

/** Finds what a foreign copy is a copy of, by its distance from the last: several may be of one line, and ids are its own. */
function originalOf(parent: Outline, { source, entry }: ContextOrigin, fromLast: number) {
  const last = entry === null || source === 'chibi' ? -1 : parent.ids.lastIndexOf(entry)
  return last === -1 || parent.strands !== undefined ? undefined : parent.ids[last - fromLast]
}

/** Places all messages up to the last tool call that another conversation made in the same run of calls. */
function placeToolRun(
  growth: Growth,
  outline: Outline,
  places: Int32Array,
  first: number,
): { readonly next: number; readonly place: number } {
  let run = 0
  let place = -1
  let last = first - 1
  for (let at = first; at < outline.marks.length; at++) {
    const tool = outline.tools[at] ?? 0
    if (tool === 0) continue
    run = joinFingerprints(run, tool)
    const known = growth.toolRunPlaces.get(run)
    if (known === undefined) break
    place = known
    last = at
  }
  if (place !== -1) align(growth, outline, places, { first, last, place })
  return { next: last + 1, place }
}

/** Puts messages `first` to `last` on the way to `place`: one to one, or, where lengths differ, call by call. */
function align(
  growth: Growth,
  outline: Outline,
  places: Int32Array,
  { first, last, place }: { readonly first: number; readonly last: number; readonly place: number },
): void {
  const way: number[] = []
  for (let at = place; at !== -1; at = growth.parent[at] ?? -1) way.push(at)
  way.reverse()
  const isSameLength = way.length === last - first + 1
  let step = 0
  for (let at = first; at <= last; at++) {
    const isTool = outline.tools[at] !== 0
    // Between two calls a shorter file skips places; a longer one has what is too much at the next call's place.
    if (!isSameLength && isTool) while (!isToolPlace(growth, way[step] ?? place)) step++
    places[at] = way[Math.min(step, way.length - 1)] ?? place
    if (isSameLength || isTool || !isToolPlace(growth, way[step] ?? place)) step++
  }
}

function isToolPlace(growth: Growth, place: number): boolean {
  const owner = growth.outlines[growth.owner[place] ?? 0]
  return owner?.tools[growth.message[place] ?? 0] !== 0
}

/** By the time of their making, names where that is unknown; an origin before what came of it. */
function inBirthOrder(group: readonly Outline[]): readonly Outline[] {
  const sorted = group.slice().sort((a, b) => {
    const [atA, atB] = [a.createdMs ?? Infinity, b.createdMs ?? Infinity]
    if (atA !== atB) return atA < atB ? -1 : 1
    return conversationIdentity(a) < conversationIdentity(b) ? -1 : 1
  })
  const origins = originsAmong(sorted)
  const positions = new Map(sorted.map((outline, i) => [outline, i]))
  const placed = new Set<Outline>()
  for (const outline of sorted) {
    const waiting = new Set<Outline>()
    let next: Outline | undefined = outline
    // The set also ends the walk where two name each other as origin.
    while (next !== undefined && !placed.has(next) && !waiting.has(next)) {
      waiting.add(next)
      next = sorted[origins[positions.get(next) ?? -1] ?? -1]
    }
    for (const ready of [...waiting].reverse()) placed.add(ready)
  }
  return [...placed]
}
