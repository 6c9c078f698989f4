import { countBlockLines } from '../../segments/build/block-reader'
import { type HazardTable, hazardTable, isHazardAt } from '../../segments/index-lookup'
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
  const groups = placedGroups(needles)
  const signs = signHazards(needles, known)
  // Where only signs may be hidden, every line that matches has the letters: the others need not be looked at for hazards.
  const byLetters = signs !== undefined && groups.every(({ letters: [from, to] }) => from < to)
  const table = byLetters || signs === undefined ? letterHazards(known) : signs
  const nextHazard = (from: number) =>
    table === undefined ? -1 : hazardAt(search, block, table, from, end)
  const firsts = groups.map(({ first, letters }) => (byLetters ? letters[0] : first))
  const hits = firsts.map((first) => search.find(first, 0, end))

  /** The next place of any group's first needle; -1 where there is none. */
  const nextHit = (from: number) => {
    let next = -1
    for (const [n, first] of firsts.entries()) {
      let hit = hits[n] ?? -1
      if (hit >= 0 && hit < from) {
        hit = search.find(first, from, end)
        hits[n] = hit
      }
      if (hit >= 0 && (next < 0 || hit < next)) next = hit
    }
    return next
  }

  const hasTexts = (start: number, lineEnd: number) =>
    groups.some(({ first, last }) => search.hasAll(first, last, start, lineEnd))
  const hasLetters = (start: number, lineEnd: number) =>
    groups.some(({ letters: [first, last] }) => search.hasAll(first, last, start, lineEnd))
  const hides = (hidden: HazardTable, start: number, lineEnd: number) =>
    hazardAt(search, block, hidden, start, lineEnd) >= 0

  /** @param isHidden whether a hazard of those that are looked for is in the line */
  const mayMatch = (start: number, lineEnd: number, isHidden: boolean) => {
    if (signs === undefined) return isHidden || hasTexts(start, lineEnd)
    if (byLetters) {
      if (isHidden) return true
      if (!hasLetters(start, lineEnd)) return false
      return hasTexts(start, lineEnd) || hides(signs, start, lineEnd)
    }
    if (hasTexts(start, lineEnd)) return true
    if (!isHidden) return false
    const letters = letterHazards(known)
    return (letters !== undefined && hides(letters, start, lineEnd)) || hasLetters(start, lineEnd)
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

/** The hazards for signs that needles have; undefined where there are none to look for. */
function signHazards({ signs }: Needles, known: KnownHazards): HazardTable | undefined {
  if (signs === 'none' || known === 'none') return undefined
  return hazardTable(signs === 'joins' ? 'joins' : 'signs')
}

function letterHazards(known: KnownHazards): HazardTable | undefined {
  return known === 'any' ? hazardTable('ascii') : undefined
}

/** The next place before `to` whose bytes may stand for other ASCII; -1 where there is none. */
function hazardAt(
  search: ByteSearch,
  block: Buffer,
  table: HazardTable,
  from: number,
  to: number,
): number {
  for (let at = search.suspect(from, to); at >= 0; at = search.suspect(at, to)) {
    // Characters beside ASCII follow each other more often than not.
    do {
      if (isHazardAt(table, block, at)) return at
      at += 1
    } while (at < to && (block[at] ?? 0) >= 0x80)
    if (at >= to) return -1
  }
  return -1
}

/** The end of the last line that begins and ends in the window from `from` on, or of the one line that is longer. */
function endOfWindow(block: Buffer, from: number): number {
  if (block.length - from <= windowBytes) return block.length
  const last = block.lastIndexOf(lineFeed, from + windowBytes - 1)
  const end = last >= from ? last : block.indexOf(lineFeed, from + windowBytes)
  return end < 0 ? block.length : end + 1
}
