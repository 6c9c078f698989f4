import { largestOf } from '../../shared/model/basics/long-lists'
import type { SearchableConversation, SearchFile, SearchOrder } from '../../shared/model/search'
import { type FileCoverage, type PartIndex, segmentBytes } from '../segments/index-lookup'
import { piecesOf, type RunInSegment } from './bytes/run-pieces'
import type { Condition } from './conditions/condition'
import { segmentTest } from './conditions/segment-test'
import { compareValues, timeScore } from './order/hit-order'
import type { ScannedFile, ScanRange } from './scan-range'

/** A piece of work for one worker: a segment, or ranges that no filter covers. */
export interface PlannedJob {
  readonly ranges: readonly PlannedRange[]
  /** No hit in it has a higher score, see `timeScore`; Infinity where unknown. */
  readonly highest: number
  /** Number of segments that it counts for. */
  readonly segments: number
}

/** A range to search, with its conversation and file. */
export interface PlannedRange extends Omit<ScanRange, 'scope'> {
  readonly conversation: SearchableConversation
  readonly file: SearchFile
}

/** The jobs of a search, and how much of everything they are. */
export interface Plan {
  /** Those with the highest scores first. */
  readonly jobs: readonly PlannedJob[]
  /** Segments of everything that is searched, skipped ones included. */
  readonly total: number
  /** Whether filters could be asked at all. */
  readonly planned: boolean
}

/** A range that a segment covers, with the run that it is of, and the bytes of the segment before that. */
export interface IndexedRange extends PlannedRange, RunInSegment {}

/** A segment with its valid runs, prepared once for many queries. */
export interface IndexedUnit {
  readonly part: PartIndex
  readonly segment: number
  readonly ranges: readonly IndexedRange[]
}

/** All searched files by segment, and the ranges that no filter covers. */
export interface SegmentedFiles {
  readonly units: readonly IndexedUnit[]
  readonly uncovered: readonly PlannedRange[]
  readonly total: number
}

/**
 * Groups the covered ranges of files by segment.
 *
 * @param coverages by path
 */
export function sortIntoSegments(
  conversations: readonly SearchableConversation[],
  coverages: ReadonlyMap<string, FileCoverage>,
): SegmentedFiles {
  const units = new Map<PartIndex, Map<number, IndexedRange[]>>()
  const uncovered: PlannedRange[] = []
  for (const conversation of conversations) {
    for (const file of conversation.files) {
      const coverage = coverages.get(file.path)
      const of = scannedFile(conversation, file)
      // Nothing is known of it yet, or of another file that had its name: it is read in full.
      if (coverage?.file.identity !== file.identity) {
        const { offset, line } = file.own ?? { offset: 0, line: 1 }
        const range = rangeOf(conversation, file, of, offset, file.sizeBytes, line, 'any')
        if (range.from < range.to) uncovered.push(range)
        continue
      }
      for (const { part, segment, from, to, firstLine, run, before } of coverage.runs) {
        const range = {
          ...rangeOf(conversation, file, of, from, to, firstLine, 'any'),
          run,
          before,
        }
        if (range.from >= range.to) continue
        const segments = units.get(part) ?? new Map<number, IndexedRange[]>()
        units.set(part, segments)
        const ranges = segments.get(segment)
        if (ranges === undefined) segments.set(segment, [range])
        else ranges.push(range)
      }
      const { end, endLine } = coverage
      const rest = rangeOf(conversation, file, of, end, file.sizeBytes, endLine, 'any')
      if (rest.from < rest.to) uncovered.push(rest)
    }
  }
  const list = [...units].flatMap(([part, segments]) =>
    [...segments].map(([segment, ranges]) => ({ part, segment, ranges })),
  )
  const total = list.length + uncovered.reduce((sum, range) => sum + segmentCount([range]), 0)
  return { units: list, uncovered, total }
}

/** Decides what has to be read: everything that may hold a hit, and nothing that certainly does not. */
export function planSearch(
  territory: SegmentedFiles,
  condition: Condition,
  isInScope: (conversation: SearchableConversation) => boolean,
  order: SearchOrder = 'newest',
): Plan {
  const { blocksOf, asksFilters, asksSigns } = segmentTest(condition)
  const jobs: PlannedJob[] = []
  for (const unit of territory.units) {
    const { part, segment } = unit
    const blocks = blocksOf(part, segment)
    if (blocks === 0) continue
    const facts = part.segments[segment]
    const ranges = unit.ranges
      .filter(({ conversation }) => isInScope(conversation))
      .flatMap((range) =>
        facts === undefined ? [range] : piecesOf(range, facts, blocks, asksSigns),
      )
    if (ranges.length > 0) jobs.push({ ranges, highest: highestOf(unit, order), segments: 1 })
  }
  // The best may be anywhere: then the newest are read first.
  jobs.sort((a, b) => compareValues(b.highest, a.highest))
  const uncovered = territory.uncovered.filter(({ conversation }) => isInScope(conversation))
  return {
    jobs: [
      ...batches(uncovered, order),
      ...(order === 'best' ? jobs.map((job) => ({ ...job, highest: anyScore })) : jobs),
    ],
    total: territory.total,
    planned: asksFilters,
  }
}

function scannedFile(conversation: SearchableConversation, file: SearchFile): ScannedFile {
  const { path, place, identity, decoder, idSuffix, lineKey } = file
  const { source, key, updated } = conversation
  return { path, place, identity, decoder, source, key, updated, idSuffix, lineKey }
}

/** Of a file that is shared, what of the bytes lies in the conversation's part: none where that is empty. */
function rangeOf(
  conversation: SearchableConversation,
  file: SearchFile,
  of: ScannedFile,
  from: number,
  to: number,
  firstLine: number,
  hazards: ScanRange['hazards'],
): PlannedRange {
  const { part } = file
  const begins = part !== undefined && part.offset > from
  return {
    conversation,
    file,
    of,
    from: begins ? part.offset : from,
    to: Math.min(to, part?.end ?? to),
    firstLine: begins ? part.line : firstLine,
    hazards,
  }
}

const anyScore = Number.POSITIVE_INFINITY

/** The highest score by time that a hit of a segment can have. */
function highestOf({ part, segment, ranges }: IndexedUnit, order: SearchOrder): number {
  const facts = part.segments[segment]
  if (facts === undefined) return anyScore
  const byTime = order === 'oldest' ? 'oldest' : 'newest'
  const own = facts[byTime]
  const scores = own === null ? [] : [timeScore(byTime, own)]
  // Entries without a time have that of their conversation.
  if (facts.untimed) for (const range of ranges) scores.push(timeScore(byTime, timeOf(range)))
  return largestOf(scores)
}

function timeOf({ conversation }: PlannedRange): number {
  return conversation.updated ?? Number.NEGATIVE_INFINITY
}

/** Joins small ranges, so that a thousand short files are no thousand questions; the conversations that come first in the order first. */
function batches(ranges: readonly PlannedRange[], order: SearchOrder): PlannedJob[] {
  const byTime = order === 'oldest' ? 'oldest' : 'newest'
  const scoreOf = (range: PlannedRange) => timeScore(byTime, timeOf(range))
  const jobs: PlannedJob[] = []
  let batch: PlannedRange[] = []
  const close = () => {
    if (batch.length === 0) return
    jobs.push({
      ranges: batch,
      highest: anyScore,
      segments: batch.reduce((sum, range) => sum + segmentCount([range]), 0),
    })
    batch = []
  }
  for (const range of [...ranges].sort((a, b) => compareValues(scoreOf(b), scoreOf(a)))) {
    if (bytesOf(batch) + bytesOf([range]) > segmentBytes) close()
    batch.push(range)
  }
  close()
  return jobs
}

function bytesOf(ranges: readonly PlannedRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** Returns how many segments ranges count for that have none of their own: by their size, at least one. */
export function segmentCount(ranges: readonly PlannedRange[]): number {
  return Math.max(1, Math.ceil(bytesOf(ranges) / segmentBytes))
}
