import { countBlockLines } from '../../segments/build/block-reader'
import { hazards } from '../../segments/index-lookup'
import type { ByteSearch } from './byte-search'
import type { Needles } from './needles'
import type { Prefilter } from './prefilter'

/** A line of a block that may match. */
export interface FoundLine {
  readonly start: number
  readonly end: number
  /** Lines of the block before it. */
  readonly index: number
}

/** Knowledge of lines whose bytes do not show their ASCII: there are none; only such whose signs are not shown; or any. */
export type KnownHazards = 'none' | 'signs' | 'any'

const lineFeed = 0x0a

/** Text is searched in pieces of about this size: a larger string would be fresh memory each time. */
const windowBytes = 64 * 1024
/** Longest sequence that a hazard is told by. */
const hazardBytes = 8

/** Sets needles to be searched: those of every group, and behind them the letters of every group. */
export function setNeedles(search: ByteSearch, { groups }: Needles): void {
  search.setNeedles([
    ...groups.flatMap(({ texts }) => texts),
    ...groups.flatMap(({ letters }) => letters),
  ])
}

/**
 * Finds the lines of a block that may hold all needles of a group: their bytes do, or they do not show it. In order.
 *
 * @param block of whole lines, at the beginning of the search's memory, with these needles set
 */
export function* linesWithNeedles(
  search: ByteSearch,
  block: Buffer,
  needles: Needles,
  known: KnownHazards,
): Generator<FoundLine> {
  const end = block.length
  const pattern = hazardPattern(needles, known)
  const nextHazard = (from: number) =>
    pattern === undefined ? -1 : hazardAt(search, block, pattern, from, end)
  const groups = placedGroups(needles)
  const hits = groups.map(({ first }) => search.find(first, 0, end))

  /** The next place of any group's first needle; -1 where there is none. */
  const nextHit = (from: number) => {
    let next = -1
    for (const [n, { first }] of groups.entries()) {
      let hit = hits[n] ?? -1
      if (hit >= 0 && hit < from) {
        hit = search.find(first, from, end)
        hits[n] = hit
      }
      if (hit >= 0 && (next < 0 || hit < next)) next = hit
    }
    return next
  }

  /** Where signs alone are hidden, letters are not. */
  const mayMatch = (start: number, lineEnd: number, isHidden: boolean) => {
    if (groups.some(({ first, last }) => search.hasAll(first, last, start, lineEnd))) return true
    if (!isHidden) return false
    if (needles.signs === 'none') return true
    if (known === 'any' && hazardAt(search, block, hazards.ascii, start, lineEnd) >= 0) return true
    return groups.some(({ letters: [first, last] }) => search.hasAll(first, last, start, lineEnd))
  }

  let index = 0
  let counted = 0
  let hazard = nextHazard(0)
  for (let from = 0; from < end; ) {
    const hit = nextHit(from)
    if (hazard >= 0 && hazard < from) hazard = nextHazard(from)
    const at = hit < 0 || (hazard >= 0 && hazard < hit) ? hazard : hit
    if (at < 0) return
    const start = at === 0 ? 0 : block.lastIndexOf(lineFeed, at - 1) + 1
    const feed = block.indexOf(lineFeed, at)
    const lineEnd = feed < 0 ? end : feed
    if (mayMatch(start, lineEnd, hazard >= 0 && hazard < lineEnd)) {
      index += search.count(counted, start, lineFeed)
      counted = start
      yield { start, end: lineEnd, index }
    }
    from = lineEnd + 1
  }
}

/** Numbers of a group's needles: the first, and the one behind the last; and those of its letters. */
interface PlacedGroup {
  readonly first: number
  readonly last: number
  readonly letters: readonly [first: number, last: number]
}

function placedGroups({ groups }: Needles): readonly PlacedGroup[] {
  let first = 0
  let ofLetters = groups.reduce((sum, { texts }) => sum + texts.length, 0)
  return groups.map(({ texts, letters }) => {
    const placed: PlacedGroup = {
      first,
      last: first + texts.length,
      letters: [ofLetters, ofLetters + letters.length],
    }
    first += texts.length
    ofLetters += letters.length
    return placed
  })
}

/** Finds the lines of a block that a prefilter lets pass, in order; where there is no `ByteSearch`, or nothing for it. */
export function* linesThatPass(block: Buffer, prefilter: Prefilter): Generator<FoundLine> {
  let index = 0
  let counted = 0
  for (let from = 0; from < block.length; ) {
    const to = endOfWindow(block, from)
    const latin1 = block.toString('latin1', from, to)
    for (let at = prefilter.next(latin1, 0); at >= 0; ) {
      const start = from + at === 0 ? 0 : block.lastIndexOf(lineFeed, from + at - 1) + 1
      const feed = block.indexOf(lineFeed, from + at)
      index += countBlockLines(block.subarray(counted, start))
      counted = start
      yield { start, end: feed < 0 ? block.length : feed, index }
      if (feed < 0) return
      at = prefilter.next(latin1, feed + 1 - from)
    }
    from = to
  }
}

function hazardPattern({ signs }: Needles, known: KnownHazards): RegExp | undefined {
  if (signs === 'none') return known === 'any' ? hazards.ascii : undefined
  if (known === 'none') return undefined
  return signs === 'joins' ? hazards.joins : hazards.signs
}

/** The next place before `to` whose bytes may stand for other ASCII; -1 where there is none. */
function hazardAt(
  search: ByteSearch,
  block: Buffer,
  pattern: RegExp,
  from: number,
  to: number,
): number {
  for (let at = from; ; ) {
    const first = search.suspect(at, to)
    if (first < 0) return -1
    const end = Math.min(first + windowBytes, to)
    pattern.lastIndex = 0
    // What its end cuts is taken for a hazard, and a backslash there is looked at again.
    const found = pattern.exec(block.toString('latin1', first, end))?.index ?? -1
    if (found >= 0) return first + found
    if (end === to) return -1
    at = end - hazardBytes
  }
}

/** The end of the last line that begins and ends in the window from `from` on, or of the one line that is longer. */
function endOfWindow(block: Buffer, from: number): number {
  if (block.length - from <= windowBytes) return block.length
  const last = block.lastIndexOf(lineFeed, from + windowBytes - 1)
  const end = last >= from ? last : block.indexOf(lineFeed, from + windowBytes)
  return end < 0 ? block.length : end + 1
}
