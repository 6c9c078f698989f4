import { countBlockLines } from '../segments/build/block-reader'
import type { Prefilter } from './prefilter'

const lineFeed = 0x0a

/** A line of a block. */
interface FoundLine {
  readonly start: number
  readonly end: number
  /** Lines of the block before it. */
  readonly index: number
}

/** Text is searched in pieces of about this size: a larger string would be fresh memory each time. */
const windowBytes = 64 * 1024

/** Yields the lines of a block that the prefilter lets pass, in order. */
export function* linesToDecode(block: Buffer, prefilter: Prefilter): Generator<FoundLine> {
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

/** The end of the last line that begins and ends in the window from `from` on, or of the one line that is longer. */
function endOfWindow(block: Buffer, from: number): number {
  if (block.length - from <= windowBytes) return block.length
  const last = block.lastIndexOf(lineFeed, from + windowBytes - 1)
  const end = last >= from ? last : block.indexOf(lineFeed, from + windowBytes)
  return end < 0 ? block.length : end + 1
}
