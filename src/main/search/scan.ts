import path from 'node:path'
import { fold } from '../../shared/model/basics/fold'
import { decoderNamed, type PlacedEntry, type SearchDecoders } from '../../shared/model/search'
import type { Disk } from '../disk/interface/disk'
import type { BlockReader } from '../segments/build/block-reader'
import { branchOf } from './branches'
import { LineFinder } from './bytes/line-finder'
import { OpenFiles } from './bytes/open-files'
import { EntryTest } from './conditions/entry-test'
import { Findings, type PlacedMatch, type ScanHit } from './findings'
import { timeScore } from './order/hit-order'
import { matchKindOf, relevanceOf } from './order/relevance'
import { leaveOutLower, type ScanJob, type ScanStep, takeStep } from './scan-job'
import {
  createScanTools,
  needsToolNames,
  type ScannedFile,
  type ScanTools,
  scanRange,
} from './scan-range'
import { ToolNamesCache } from './tool-names'

/** One thread's answer to a `ScanJob`: hits, further matches, and ranges that could not be read. */
export interface ScanAnswer {
  /** Those that come first in the order first. Copies of one text have one snippet and count once to `limit`. */
  readonly hits: readonly ScanHit[]
  /** Further matches, which have no snippet. */
  readonly others: readonly PlacedMatch[]
  /** Numbers of ranges whose file is another one now, or gone. */
  readonly moved: readonly number[]
  /** Ranges that could not be read, one sentence each. */
  readonly notices: readonly string[]
  /** Numbers of the steps that it went through to their ends. */
  readonly done: readonly number[]
}

/** A scanner of files. It keeps its buffers for the next job. */
export class Scanner {
  private readonly disk: Disk
  private readonly decoders: SearchDecoders
  private readonly createTools: () => ScanTools
  /** Tools that no job uses now. */
  private readonly idle: ScanTools[] = []
  private readonly toolNames = new ToolNamesCache()

  constructor(disk: Disk, decoders: SearchDecoders, createTools = () => createScanTools()) {
    this.disk = disk
    this.decoders = decoders
    this.createTools = createTools
  }

  /**
   * Takes steps of a job until there are none left, and searches their ranges. Stops early, with what it has, when the signal
   * aborts.
   */
  async scan(job: ScanJob, signal?: AbortSignal): Promise<ScanAnswer> {
    const tools = this.idle.pop() ?? this.createTools()
    const files = new OpenFiles(this.disk)
    const findings = new Findings(job.limit, job.wantsFacts, job.order === 'best')
    const { reader, search } = tools
    const lines = new LineFinder(search, job.conditions.alternatives)
    const moved: number[] = []
    const notices = new Set<string>()
    const done: number[] = []
    const { ranges, conditions, order } = job
    const test = new EntryTest(conditions, ({ number, entry, places }) => {
      const range = ranges[number]
      if (range === undefined) return
      const { lineKey, key, updated } = range.of
      const time = entry.timestamp ?? updated ?? Number.NEGATIVE_INFINITY
      const score =
        order === 'best'
          ? relevanceOf(fold(entry.text), conditions.terms, matchKindOf(entry))
          : timeScore(order, time)
      const keyOfEntry = lineKey === undefined ? (entry.key ?? key) : key
      findings.add(number, entry, { score, time }, keyOfEntry, places)
    })
    try {
      leaveOutLower(job, job.threshold)
      for (let number = takeStep(job); number !== undefined; number = takeStep(job)) {
        const step = job.steps[number]
        if (step === undefined || signal?.aborted) break
        await this.scanStep(job, step, { reader, lines, files, test, moved, notices }, signal)
        if (signal?.aborted) break
        done.push(number)
        if (!job.countsAll) leaveOutLower(job, findings.threshold())
      }
      for (const notice of test.finish()) notices.add(notice)
    } finally {
      this.idle.push(tools)
      await files.close()
    }
    return { ...findings.finish(job.conditions.marks), moved, notices: [...notices], done }
  }

  private async scanStep(
    { ranges, conditions, wantsFacts }: ScanJob,
    { from, to }: ScanStep,
    { reader, lines, files, test, moved, notices }: ScanState,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let number = from; number < to && !signal?.aborted; number++) {
      const range = ranges[number]
      const found = range && decoderNamed(this.decoders, range.of.decoder)
      if (range === undefined || found === undefined) continue
      const { of } = range
      const take = (entry: PlacedEntry) => {
        // Its lines are searched for the conversation that they are of.
        if (entry.key !== undefined && entry.key !== (of.lineKey ?? of.key)) return
        test.take({ number, entry: ownEntry(entry, of), range })
      }
      const names = needsToolNames(found.decoder, conditions, wantsFacts)
        ? this.toolNames
        : undefined
      try {
        const end = await scanRange(
          this.disk,
          files,
          { reader, lines },
          found,
          range,
          conditions,
          names,
          take,
          signal,
        )
        if (end.isMoved) moved.push(number)
        if (end.fault !== undefined) notices.add(`${path.basename(of.path)}: ${end.fault}.`)
      } catch (error) {
        if ((error as { code?: unknown }).code === 'not-found') moved.push(number)
        else notices.add((error as Error).message)
      }
    }
  }
}

/** What one thread has at hand while it works on a job. */
interface ScanState {
  readonly reader: BlockReader
  readonly lines: LineFinder
  readonly files: OpenFiles
  readonly test: EntryTest
  readonly moved: number[]
  readonly notices: Set<string>
}

/** By the names that the conversation itself has, and gives. */
function ownEntry(
  entry: PlacedEntry,
  { place, idSuffix, lineKey, left }: ScannedFile,
): PlacedEntry {
  const named = idSuffix ? { ...entry, entryId: idWith(entry, idSuffix) } : entry
  const own = lineKey === undefined ? named : { ...named, key: undefined }
  if (left === undefined) return own
  return { ...own, branch: branchOf(left === 'unknown' ? undefined : left, place, own) }
}

function idWith({ entryId }: PlacedEntry, suffix: string): string {
  return entryId.replace(/^L\d+/, (number) => number + suffix)
}
