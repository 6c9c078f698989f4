import {
  decoderNamed,
  type FoundDecoder,
  type SearchableEntry,
  type SearchDecoder,
  type SearchDecoders,
} from '../../../shared/model/search'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { readFileFilter } from '../coverage/cover-by-filter'
import type { FilterFile } from '../coverage/coverage'
import { digestRun } from '../coverage/run-digest'
import { PartBuilder } from '../parts/part-builder'
import type { IndexedFile, IndexedRun } from '../parts/part-format'
import type { PartIndex } from '../parts/part-index'
import { hasAsciiHazards } from '../terms/hazards'
import { BlockReader } from './block-reader'
import { SavedTexts } from './saved-texts'

/**
 * A file whose bytes `from` to `to` are to be indexed, with the size and time at which they were last known to be
 * unchanged.
 */
export interface FileToIndex extends IndexedFile {
  /** The start of a line. */
  readonly from: number
  readonly to: number
  /** The number of the line at `from`. */
  readonly firstLine: number
  /** Its own filter, which answers for all of it: what that holds is taken over, and the text is not read. */
  readonly filter?: FilterFile
  /** The part travels with the file: it does not hold its path. */
  readonly travels?: true
}

/** Size at which a segment ends, with the line that reaches it. */
export const segmentBytes = 512 * 1024

const lineFeed = 0x0a
/** Most facts that are remembered to have been added; more is added again. */
const mostFacts = 1000

/**
 * Reads files and builds one part from them, file after file; small files share a segment. Files that do not fit or
 * cannot be read are not in it. Resolves to undefined when it would be empty, or the signal aborted.
 *
 * @param segmentSize for tests
 */
export async function buildPart(
  disk: Disk,
  decoders: SearchDecoders,
  files: readonly FileToIndex[],
  signal?: AbortSignal,
  segmentSize: number = segmentBytes,
): Promise<Buffer | undefined> {
  const segment = new SegmentReading(new PartBuilder(), segmentSize)
  const indexed: IndexedFile[] = []
  // Texts first: filters that are taken over are segments of their own.
  for (const file of inOrder(files)) {
    const decoder = decoderNamed(decoders, file.decoder)
    if (signal?.aborted || segment.isFull) break
    if (decoder === undefined || file.from >= file.to) continue
    const part = await ownPartOf(disk, file)
    if (part !== undefined && part.segments.length > segment.partRoom) continue
    indexed.push(factsOf(file))
    if (part !== undefined) segment.addPart(part, indexed.length - 1)
    else await readInto(segment, disk, decoder, file, indexed.length - 1, signal)
  }
  if (signal?.aborted) return undefined
  return segment.finish(indexed)
}

function factsOf(file: FileToIndex): IndexedFile {
  const { identity, path, sizeBytes, mtimeMs, chain, decoder, travels } = file
  const where = travels ? { identity: '', path: '' } : { identity, path }
  return { ...where, sizeBytes, mtimeMs, chain, decoder }
}

function inOrder(files: readonly FileToIndex[]): readonly FileToIndex[] {
  return [...files].sort((a, b) => Number(a.filter !== undefined) - Number(b.filter !== undefined))
}

/** The part in a file's own filter, where file and filter are unchanged and it is valid for this process. */
async function ownPartOf(disk: Disk, file: FileToIndex): Promise<PartIndex | undefined> {
  if (file.filter === undefined) return undefined
  const stat = await disk.stat(file.path).catch(() => undefined)
  const isSame =
    stat?.identity === file.identity &&
    stat.sizeBytes === file.sizeBytes &&
    stat.mtimeMs === file.mtimeMs
  if (!isSame) return undefined
  const stored = await readFileFilter(disk, file.filter.path)
  return stored?.sha256 === file.filter.sha256 && stored.part.isTrusted ? stored.part : undefined
}

async function readInto(
  segment: SegmentReading,
  disk: Disk,
  { decoder, hasOutputs }: FoundDecoder,
  file: FileToIndex,
  number: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const opened = await disk.open(file.path, 'read').catch(() => undefined)
  if (opened === undefined) return
  try {
    // It was renamed or replaced meanwhile: the next round finds it where it is.
    if ((await opened.stat()).identity !== file.identity) return
    if (decoder.unit === 'document') await addDocument(segment, decoder, opened, file, number)
    else {
      const { savedOutputs } = decoder
      const texts =
        hasOutputs && savedOutputs !== undefined
          ? new SavedTexts(disk, savedOutputs, file.path)
          : undefined
      await addLines(segment, decoder, opened, file, number, texts, signal)
    }
  } catch {
    // A file that cannot be read now has no filter, so a search reads it and reports what is wrong.
  } finally {
    await opened.close()
  }
}

async function addDocument(
  segment: SegmentReading,
  decoder: Extract<SearchDecoder, { unit: 'document' }>,
  opened: DiskFile,
  file: FileToIndex,
  number: number,
): Promise<void> {
  const bytes = await readExactly(opened, 0, file.sizeBytes)
  if (bytes.length < file.sizeBytes) return
  for (const entry of decoder.decode(bytes)) segment.addEntry(entry)
  segment.addRun(
    {
      file: number,
      from: 0,
      to: bytes.length,
      firstLine: 1,
      lines: 0,
      digest: digestRun(bytes),
    },
    true,
  )
}

async function addLines(
  segment: SegmentReading,
  decoder: Extract<SearchDecoder, { unit: 'line' }>,
  opened: DiskFile,
  file: FileToIndex,
  number: number,
  outputs: SavedTexts | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  const reader = new BlockReader()
  let line = file.firstLine
  for (let at = file.from; at < file.to && !segment.isFull && !signal?.aborted; ) {
    const block = await reader.read(opened, at, file.to, segment.room)
    if (block.length === 0) return
    let lineStart = 0
    let index = 0
    let hazards = false
    for (; lineStart < block.length; index++) {
      const feed = block.indexOf(lineFeed, lineStart)
      const end = feed < 0 ? block.length : feed
      const text = block.toString('utf8', lineStart, end)
      // What an escape stands for is no byte of the line; other hazards the texts show while they are folded.
      let isUnknown = text.includes('\\u')
      for (const entry of decoder.decode(text, line + index)) {
        const isSaved = outputs !== undefined && entry.saved !== undefined
        const found = segment.addEntry(isSaved ? await outputs.filled(entry) : entry)
        if (found === 'hazards') hazards = true
        if (found === 'unknown') isUnknown = true
      }
      // Line by line: a string of the whole block would be fresh memory each time.
      if (isUnknown) hazards ||= hasAsciiHazards(block.toString('latin1', lineStart, end))
      if (feed < 0) break
      lineStart = feed + 1
    }
    // The loop counts line feeds: a last line without one is not among them.
    const lines = index
    segment.addRun(
      {
        file: number,
        from: at,
        to: at + block.length,
        firstLine: line,
        lines,
        ...(lineStart < block.length ? { openLine: at + lineStart } : {}),
        digest: digestRun(block),
      },
      hazards,
    )
    at += block.length
    line += lines
  }
}

/** The segment that is being read, and the part that it goes to. */
class SegmentReading {
  private readonly part: PartBuilder
  private readonly size: number
  private runs: IndexedRun[] = []
  private bytes = 0
  private oldest: number | null = null
  private newest: number | null = null
  private untimed = false
  private hazards = false
  private isEmpty = true
  /** Facts of entries that the segment has already: most of its entries have the same. */
  private readonly facts = new Set<string>()

  constructor(part: PartBuilder, size: number) {
    this.part = part
    this.size = size
  }

  get isFull(): boolean {
    return this.part.isFull
  }

  /** Segments that the part still takes. */
  get partRoom(): number {
    return this.part.room - (this.runs.length > 0 ? 1 : 0)
  }

  /** Takes over all segments of a part of one file. */
  addPart(part: PartIndex, file: number): void {
    if (this.runs.length > 0) this.endSegment()
    this.part.addPart(part, file)
    this.isEmpty = false
  }

  /** Bytes that the segment still takes. */
  get room(): number {
    return Math.max(this.size / 32, this.size - this.bytes)
  }

  /** Returns what is known of ASCII that the bytes do not show. */
  addEntry(entry: SearchableEntry): ReturnType<PartBuilder['add']> {
    const { timestamp } = entry
    if (timestamp === null) this.untimed = true
    else {
      this.oldest = Math.min(this.oldest ?? timestamp, timestamp)
      this.newest = Math.max(this.newest ?? timestamp, timestamp)
    }
    for (const fact of Object.values(entry.facts ?? {})) this.addFact(fact)
    return this.part.add(entry.text)
  }

  /** Fields of a query ask for them; bytes of lines are searched for texts alone, so their hazards do not matter. */
  private addFact(fact: string | undefined): void {
    if (fact === undefined || this.facts.has(fact)) return
    if (this.facts.size < mostFacts) this.facts.add(fact)
    this.part.add(fact)
  }

  /** Closes the run whose entries were added, and the segment when it has its size. */
  addRun(run: IndexedRun, hasHazards: boolean): void {
    this.runs.push(run)
    this.bytes += run.to - run.from
    this.hazards ||= hasHazards
    if (this.bytes >= this.size * 0.9) this.endSegment()
  }

  finish(files: readonly IndexedFile[]): Buffer | undefined {
    if (this.runs.length > 0) this.endSegment()
    return this.isEmpty ? undefined : this.part.finish(files)
  }

  private endSegment(): void {
    const { runs, oldest, newest, untimed, hazards } = this
    this.part.endSegment({ runs, oldest, newest, untimed, hazards })
    this.isEmpty = false
    this.facts.clear()
    this.runs = []
    this.bytes = 0
    this.oldest = null
    this.newest = null
    this.untimed = false
    this.hazards = false
  }
}
