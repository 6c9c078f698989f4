import { blockOf, type IndexedRun, type IndexedSegment } from '../../segments/index-lookup'
import type { KnownHazards } from './found-lines'

/** A range of whole lines of a file. */
interface LineRange {
  readonly from: number
  readonly to: number
  /** The number of the line at `from`. */
  readonly firstLine: number
  readonly hazards: KnownHazards
}

/** A run of a segment. */
export interface RunInSegment {
  readonly run: IndexedRun
  /** Bytes of the segment before it. */
  readonly before: number
}

/**
 * Cuts a range down to blocks of its segment. Those that follow each other are read as one piece, which hides what any of them
 * does: to look for it costs less than to read by pieces.
 *
 * @param blocks that are read, a bit for each
 * @param askForSigns whether more than letters and digits is searched: else it is equal where only signs are not shown
 */
export function piecesOf<Range extends LineRange & RunInSegment>(
  range: Range,
  { blockBytes, hazards: [letters, any] }: Pick<IndexedSegment, 'blockBytes' | 'hazards'>,
  blocks: number,
  askForSigns: boolean,
): readonly Range[] {
  const { run, before } = range
  /** Undefined for a block that is not read. */
  const shown = (at: number): KnownHazards | undefined => {
    const block = blockOf(before + at - run.from, blockBytes)
    if (((blocks >>> block) & 1) === 0) return undefined
    if (((letters >>> block) & 1) === 1) return 'any'
    return askForSigns && ((any >>> block) & 1) === 1 ? 'signs' : 'none'
  }
  const pieces: Range[] = []
  let from = range.from
  let firstLine = range.firstLine
  let hazards = shown(from)
  const endAt = (to: number) => {
    if (hazards !== undefined) pieces.push({ ...range, from, to, firstLine, hazards })
  }
  const marks = run.marks ?? []
  for (let n = 0; n < marks.length; n += 2) {
    const at = run.from + (marks[n] ?? 0)
    if (at <= from) continue
    if (at >= range.to) break
    const next = shown(at)
    if (next === hazards) continue
    if (next !== undefined && hazards !== undefined) {
      hazards = next === 'any' || hazards === 'any' ? 'any' : 'signs'
      continue
    }
    endAt(at)
    from = at
    firstLine = run.firstLine + (marks[n + 1] ?? 0)
    hazards = next
  }
  endAt(range.to)
  return pieces
}
