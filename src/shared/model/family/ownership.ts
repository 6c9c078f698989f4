import { mergeTree } from './merge'
import type { Outline } from './outline'

/** The part of a conversation that counts at it, when everything that relatives share counts once: at the oldest. */
export interface Ownership {
  /**
   * Ranges of its entries, from a position on and until another, excluded; null is its end, wherever that is. The same
   * after it grew, unless it grew as a relative did.
   */
  readonly ranges: EntryRanges
  /** Ends of branches that count at it. */
  readonly leaves: number
}

/** Ranges of entries by their position in the file; null is the end. */
export type EntryRanges = readonly (readonly [from: number, until: number | null])[]

/** The ranges of a conversation that shares nothing. */
export const allEntries: EntryRanges = [[0, null]]

/**
 * Tells for each conversation of a group (`groupRelatives`), in the order given, what counts at it. Near-linear in their
 * messages.
 */
export function ownershipsOf(group: readonly Outline[]): readonly Ownership[] {
  const tree = mergeTree(group)
  const isInner = new Uint8Array(tree.count)
  for (let place = 0; place < tree.count; place++) {
    const parent = tree.parent[place] ?? -1
    if (parent !== -1) isInner[parent] = 1
  }
  const leaves = new Array<number>(group.length).fill(0)
  for (let place = 0; place < tree.count; place++) {
    const owner = tree.owner[place] ?? 0
    if (isInner[place] === 0) leaves[owner] = (leaves[owner] ?? 0) + 1
  }
  const found = new Map<Outline, Ownership>()
  tree.outlines.forEach((outline, member) => {
    const isOwn = (message: number) => {
      const place = tree.places[member]?.[message] ?? -1
      // An anchor of ours has no place.
      return place === -1 || (tree.owner[place] === member && tree.message[place] === message)
    }
    found.set(outline, { ranges: rangesOf(outline, isOwn), leaves: leaves[member] ?? 0 })
  })
  return group.map((outline) => found.get(outline) ?? { ranges: [], leaves: 0 })
}

/** Returns true where a position is in one of the ranges. */
export function isInRanges(at: number, ranges: EntryRanges): boolean {
  return ranges.some(([from, until]) => at >= from && (until === null || at < until))
}

function rangesOf({ starts, marks }: Outline, isOwn: (message: number) => boolean): EntryRanges {
  const ranges: [number, number | null][] = []
  let from: number | undefined
  for (let message = 0; message < marks.length; message++) {
    const start = starts[message] ?? 0
    if (isOwn(message)) from ??= start
    else if (from !== undefined) {
      ranges.push([from, start])
      from = undefined
    }
  }
  // What comes after the last message is new.
  if (from !== undefined) ranges.push([from, null])
  else ranges.push([starts[marks.length] ?? 0, null])
  return ranges
}
