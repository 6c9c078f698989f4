import { pushAll } from '../basics/long-lists'
import type { MergedTree } from './merge'
import type { Outline } from './outline'
import { wayTo } from './tree'

/** The end of a way through a family: an entry of one of its conversations. */
interface WayEnd {
  /** One of the tree's own. */
  readonly outline: Outline
  /** Position among the conversation's entries; without one the way ends where the conversation is now. */
  readonly entry?: number | undefined
}

/** The two parts of a way, as positions of entries in their conversation, in the order of the way. */
export interface PartedWay {
  /** Both ways have these: everything up to the fork. */
  readonly shared: readonly number[]
  /** Entries that this way alone has; the anchor of a branch is among it. */
  readonly after: readonly number[]
}

/** Parts two ways through a family at their fork. Linear in the entries of both. */
export function partWays(
  tree: MergedTree,
  left: WayEnd,
  right: WayEnd,
): { readonly left: PartedWay; readonly right: PartedWay } {
  const ways = [wayOf(tree, left), wayOf(tree, right)] as const
  const above = ways.map((way) => placesAbove(tree, way)) as [
    ReadonlySet<number>,
    ReadonlySet<number>,
  ]
  const isCommon = (place: number) => above[0].has(place) && above[1].has(place)
  return { left: parted(ways[0], ways[1], isCommon), right: parted(ways[1], ways[0], isCommon) }
}

/** Gives a way that shares nothing with another: all of it comes after. */
export function wholeWay(outline: Outline, entry?: number): PartedWay {
  return { shared: [], after: entriesOf(wayIn(outline, entry)).flat() }
}

/** The messages of a way, and how many entries of the last one are on it. */
interface Way {
  readonly outline: Outline
  readonly messages: readonly number[]
  readonly end: number
}

interface PlacedWay extends Way {
  readonly places: Int32Array
}

function wayOf(tree: MergedTree, { outline, entry }: WayEnd): PlacedWay {
  const places = tree.places[tree.outlines.indexOf(outline)]
  if (places === undefined) throw new Error(`${outline.source}:${outline.key} is not in the family`)
  return { ...wayIn(outline, entry), places }
}

function wayIn(outline: Outline, entry: number | undefined): Way {
  const last = entry === undefined ? outline.leaf : messageOf(outline, entry)
  const messages =
    outline.strands === undefined
      ? Array.from({ length: last + 1 }, (_, at) => at)
      : wayTo(outline.strands.before, last)
  return { outline, messages, end: (entry ?? (outline.starts[last + 1] ?? 0) - 1) + 1 }
}

function messageOf({ starts, marks }: Outline, entry: number): number {
  let message = marks.length - 1
  while (message > 0 && (starts[message] ?? 0) > entry) message--
  return message
}

/** Every place on a way or above it: the copies of a branch may begin in the middle of its parent. */
function placesAbove(tree: MergedTree, { messages, places }: PlacedWay): ReadonlySet<number> {
  const above = new Set<number>()
  for (const message of messages)
    for (
      let place = places[message] ?? -1;
      place !== -1 && !above.has(place);
      place = tree.parent[place] ?? -1
    )
      above.add(place)
  return above
}

function parted(way: PlacedWay, other: PlacedWay, isCommon: (place: number) => boolean): PartedWay {
  const shared: number[] = []
  const after: number[] = []
  entriesOf(way).forEach((entries, at) => {
    const place = way.places[way.messages[at] ?? -1] ?? -1
    const common = isCommon(place) ? cutAt(other, place) : 0
    pushAll(shared, entries.slice(0, common))
    pushAll(after, entries.slice(common))
  })
  return { shared, after }
}

/** The entries of each message of a way. */
function entriesOf({ outline, messages, end }: Way): readonly (readonly number[])[] {
  return messages.map((message, at) => {
    const start = outline.starts[message] ?? 0
    const isLast = at === messages.length - 1
    const stop = isLast ? end : (outline.starts[message + 1] ?? start)
    return Array.from({ length: stop - start }, (_, entry) => start + entry)
  })
}

/** Counts the entries of a place that a way has where it ends within it; else all of them, however many that are. */
function cutAt({ outline, messages, end, places }: PlacedWay, place: number): number {
  const last = messages.at(-1) ?? -1
  const isCut = end < (outline.starts[last + 1] ?? end)
  return isCut && places[last] === place ? end - (outline.starts[last] ?? 0) : Infinity
}
