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

/**
 * Finds the lines of a block that may hold all needles: their bytes do, or they do not show it. In order.
 *
 * @param block of whole lines, at the beginning of the search's memory
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
    pattern === undefined ? -1 : hazardAt(search, block, pattern, from)
  let index = 0
  let counted = 0
  let hit = search.find(0, 0, end)
  let hazard = nextHazard(0)
  for (let from = 0; from < end; ) {
    if (hit >= 0 && hit < from) hit = search.find(0, from, end)
    if (hazard >= 0 && hazard < from) hazard = nextHazard(from)
    const at = hit < 0 || (hazard >= 0 && hazard < hit) ? hazard : hit
    if (at < 0) return
    const start = at === 0 ? 0 : block.lastIndexOf(lineFeed, at - 1) + 1
    const feed = block.indexOf(lineFeed, at)
    const lineEnd = feed < 0 ? end : feed
    const isHidden = hazard >= 0 && hazard < lineEnd
    if (isHidden || search.hasOthers(start, lineEnd)) {
      index += search.count(counted, start, lineFeed)
      counted = start
      yield { start, end: lineEnd, index }
    }
    from = lineEnd + 1
  }
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

function hazardPattern({ haveSigns }: Needles, known: KnownHazards): RegExp | undefined {
  if (haveSigns) return known === 'none' ? undefined : hazards.signs
  return known === 'any' ? hazards.ascii : undefined
}

/** The next place whose bytes may stand for other ASCII; -1 where there is none. */
function hazardAt(search: ByteSearch, block: Buffer, pattern: RegExp, from: number): number {
  for (let at = from; ; ) {
    const first = search.suspect(at, block.length)
    if (first < 0) return -1
    const end = Math.min(first + windowBytes, block.length)
    pattern.lastIndex = 0
    // What its end cuts is taken for a hazard, and a backslash there is looked at again.
    const found = pattern.exec(block.toString('latin1', first, end))?.index ?? -1
    if (found >= 0) return first + found
    if (end === block.length) return -1
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
