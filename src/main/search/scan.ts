import type { ConversationKey } from '../../shared/model/conversation'
import { fold } from '../../shared/model/fold'
import type { PlacedEntry, SearchDecoder, SearchDecoders } from '../../shared/model/search'
import type { Disk, DiskFile } from '../disk/disk'
import { readExactly } from '../disk/lines'
import { BlockReader, countLines } from '../segments/read-block'
import { type Conditions, hasWords, passesTests } from './matcher'
import { noPrefilter, type Prefilter, prefilterFor } from './prefilter'
import { type Snippet, snippetOf } from './snippet'
import { ToolNamesKept } from './tool-names'

/** Bytes of one file that are looked through: whole lines of it, or a document. */
export interface ScanRange {
  readonly path: string
  readonly identity: string
  readonly decoder: string
  readonly from: number
  readonly to: number
  /** The number of the line at `from`. */
  readonly firstLine: number
  /** See `IndexedSegment`; true where nobody knows. */
  readonly hazards: boolean
  /** The conversation's, for entries without one of their own: its key, and its time in Unix seconds. */
  readonly key: ConversationKey
  readonly updated: number | null
  /** See `SearchFile.idSuffix`. */
  readonly idSuffix?: string | undefined
}

/** What a scanner is asked for: plain data. */
export interface ScanJob {
  readonly ranges: readonly ScanRange[]
  readonly conditions: Conditions
  /** Snippets are made for the newest matches of the job, of this many texts; the others are counted. */
  readonly limit: number
}

/** A match in a job. */
export interface ScanHit {
  /** Number of the range in the job. */
  readonly range: number
  readonly entryId: string
  readonly field: PlacedEntry['field']
  readonly role: PlacedEntry['role']
  readonly tool: string | undefined
  readonly key: ConversationKey | undefined
  readonly line: number
  readonly offset: number
  readonly length: number
  readonly timestamp: number | null
  /** Equal for equal texts of entries with equal ids: copies are told by it. */
  readonly fingerprint: number
  readonly snippet: string
  readonly ranges: [number, number][]
}

export interface ScanAnswer {
  /** The newest first. Copies of one text have one snippet and count once to `limit`. */
  readonly hits: readonly ScanHit[]
  /** Further matches, which have no snippet. */
  readonly others: readonly Omit<ScanHit, 'snippet' | 'ranges'>[]
  /** Numbers of ranges whose file is another one now, or gone. */
  readonly moved: readonly number[]
  /** Ranges that could not be read, one sentence each. */
  readonly notices: readonly string[]
}

/** A match that is not cut to a hit yet. */
interface Match {
  readonly range: number
  readonly entry: PlacedEntry
  readonly time: number
  readonly key: string
}

/** Blocks of this size are read and looked through at once. */
const blockBytes = 1024 * 1024
const lineFeed = 0x0a

/** Looks through files. Keeps the memory that it reads into, for the next job. */
export class Scanner {
  private readonly disk: Disk
  private readonly decoders: SearchDecoders
  /** Readers that no job uses now. */
  private readonly idle: BlockReader[] = []
  private readonly toolNames = new ToolNamesKept()

  constructor(disk: Disk, decoders: SearchDecoders) {
    this.disk = disk
    this.decoders = decoders
  }

  /** Looks through the ranges of a job. Stops early, with what it has, when the signal aborts. */
  async scan(job: ScanJob, signal?: AbortSignal): Promise<ScanAnswer> {
    const reader = this.idle.pop() ?? new BlockReader()
    try {
      return await scanJob(this.disk, this.decoders, reader, this.toolNames, job, signal)
    } finally {
      this.idle.push(reader)
    }
  }
}

async function scanJob(
  disk: Disk,
  decoders: SearchDecoders,
  reader: BlockReader,
  toolNames: ToolNamesKept,
  job: ScanJob,
  signal: AbortSignal | undefined,
): Promise<ScanAnswer> {
  const matches: Match[] = []
  const moved: number[] = []
  const notices: string[] = []
  for (const [number, range] of job.ranges.entries()) {
    if (signal?.aborted) break
    const decoder = decoders[range.decoder]
    if (decoder === undefined) continue
    const take = (entry: PlacedEntry) => {
      // Its lines are searched for the conversation that they are of.
      if (entry.key !== undefined && entry.key !== range.key) return
      if (!passesTests(entry, range.updated, job.conditions.tests)) return
      if (!hasWords(fold(entry.text), job.conditions)) return
      matches.push({
        range: number,
        entry: range.idSuffix ? { ...entry, entryId: idWith(entry, range.idSuffix) } : entry,
        time: entry.timestamp ?? range.updated ?? Number.NEGATIVE_INFINITY,
        key: entry.key ?? range.key,
      })
    }
    const names = needsToolNames(decoder, job.conditions) ? toolNames : undefined
    try {
      if (!(await scanRange(disk, reader, decoder, range, job.conditions, names, take, signal)))
        moved.push(number)
    } catch (error) {
      if ((error as { code?: unknown }).code === 'not-found') moved.push(number)
      else notices.push((error as Error).message)
    }
  }
  matches.sort(byOrder)
  return { ...cutNewest(matches, job), moved, notices }
}

/** @param matches the newest first */
function cutNewest(matches: readonly Match[], job: ScanJob): Pick<ScanAnswer, 'hits' | 'others'> {
  const cuts = new Map<string, Snippet>()
  const hits: ScanHit[] = []
  let at = 0
  for (; at < matches.length; at++) {
    const match = matches[at]
    if (match === undefined) break
    const place = placeOf(match)
    const text = `${place.field} ${place.fingerprint}`
    let cut = cuts.get(text)
    if (cut === undefined && cuts.size >= job.limit) break
    cut ??= snippetOf(match.entry.text, job.conditions.words)
    cuts.set(text, cut)
    hits.push({ ...place, ...cut })
  }
  return { hits, others: matches.slice(at).map(placeOf) }
}

/** Returns false where the file is another one now. */
async function scanRange(
  disk: Disk,
  reader: BlockReader,
  decoder: SearchDecoder,
  range: ScanRange,
  conditions: Conditions,
  names: ToolNamesKept | undefined,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const file = await disk.open(range.path, 'read')
  try {
    if ((await file.stat()).identity !== range.identity) return false
    if (decoder.unit === 'document')
      for (const entry of decoder.decode(
        await readExactly(file, range.from, range.to - range.from),
      ))
        take(entry)
    else if (names !== undefined)
      await scanWithTools(file, reader, decoder, range, names, take, signal)
    else await scanLines(file, reader, decoder, range, conditions, take, signal)
    return true
  } finally {
    await file.close()
  }
}

async function scanLines(
  file: DiskFile,
  reader: BlockReader,
  decoder: Extract<SearchDecoder, { unit: 'line' }>,
  range: ScanRange,
  conditions: Conditions,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const prefilter =
    conditions.words.length > 0
      ? prefilterFor(conditions.words, !range.hazards, decoder.restatesNumbers)
      : noPrefilter
  let firstLine = range.firstLine
  for (let at = range.from; at < range.to && !signal?.aborted; ) {
    const block = await reader.read(file, at, range.to, blockBytes)
    if (block.length === 0) return
    for (const { start, end, index } of linesToDecode(block, prefilter)) {
      const line = firstLine + index
      for (const entry of decoder.decode(block.toString('utf8', start, end), line))
        take({ ...entry, line, offset: at + start, length: end - start })
    }
    at += block.length
    if (at < range.to) firstLine += countLines(block)
  }
}

/** Whether entries must be told the names of tools from lines before theirs. */
function needsToolNames(decoder: SearchDecoder, { tests }: Conditions): boolean {
  return (
    decoder.unit === 'line' &&
    decoder.namesToolsEarlier === true &&
    tests.some((test) => test.type === 'field' && test.field === 'tool')
  )
}

/** Reads the file from its beginning, or from where the last job on it came to: a tool is named further up. */
async function scanWithTools(
  file: DiskFile,
  reader: BlockReader,
  decoder: Extract<SearchDecoder, { unit: 'line' }>,
  range: ScanRange,
  kept: ToolNamesKept,
  take: (entry: PlacedEntry) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { identity, sizeBytes, mtimeMs } = await file.stat()
  const state = `${identity} ${sizeBytes} ${mtimeMs}`
  const names = kept.take(state, range.from)
  while (names.at < range.to && !signal?.aborted) {
    const block = await reader.read(file, names.at, range.to, blockBytes)
    if (block.length === 0) return
    for (const { start, end, index } of linesToDecode(block, noPrefilter)) {
      const [line, offset] = [names.line + index, names.at + start]
      for (const entry of decoder.decode(block.toString('utf8', start, end), line)) {
        const named = names.named(entry)
        if (offset >= range.from) take({ ...named, line, offset, length: end - start })
      }
    }
    names.at += block.length
    names.line += countLines(block)
  }
  kept.keep(state, names)
}

interface FoundLine {
  readonly start: number
  readonly end: number
  /** Lines of the block before it. */
  readonly index: number
}

/** Text is looked through in pieces of about this size: a larger string would be fresh memory each time. */
const windowBytes = 64 * 1024

/** The lines of a block that the prefilter lets pass, in order. */
function* linesToDecode(block: Buffer, prefilter: Prefilter): Generator<FoundLine> {
  let index = 0
  let counted = 0
  for (let from = 0; from < block.length; ) {
    const to = endOfWindow(block, from)
    const latin1 = block.toString('latin1', from, to)
    for (let at = prefilter.next(latin1, 0); at >= 0; ) {
      const start = from + at === 0 ? 0 : block.lastIndexOf(lineFeed, from + at - 1) + 1
      const feed = block.indexOf(lineFeed, from + at)
      index += countLines(block.subarray(counted, start))
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

/** The order of hits: see `SearchResult`. */
function byOrder(a: Match, b: Match): number {
  // Not by subtraction: -Infinity less itself is no number.
  if (a.time !== b.time) return a.time > b.time ? -1 : 1
  if (a.key !== b.key) return a.key < b.key ? -1 : 1
  return a.entry.line - b.entry.line
}

function idWith({ entryId }: PlacedEntry, suffix: string): string {
  return entryId.replace(/^L\d+/, (number) => number + suffix)
}

function placeOf({ range, entry }: Match): ScanAnswer['others'][number] {
  const { entryId, field, role, tool, line, offset, length, timestamp, text } = entry
  return {
    range,
    entryId,
    field,
    role,
    tool,
    key: entry.key as ConversationKey | undefined, // decoders give keys that passed their source's rule
    line,
    offset,
    length,
    timestamp,
    fingerprint: fingerprintOf(text),
  }
}

function fingerprintOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return (hash >>> 0) + text.length * 2 ** 32
}
