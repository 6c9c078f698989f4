import path from 'node:path'
import { fold } from '../../shared/model/basics/fold'
import type { ConversationKey } from '../../shared/model/conversation/conversation'
import { decoderNamed, type PlacedEntry, type SearchDecoders } from '../../shared/model/search'
import type { Disk } from '../disk/interface/disk'
import { BlockReader } from '../segments/build/block-reader'
import { type Conditions, hasWords, passesTests } from './matcher'
import { needsToolNames, type ScanRange, scanRange } from './scan-range'
import { type Snippet, snippetOf } from './snippet'
import { ToolNamesCache } from './tool-names'

/** A job for a scanner: plain data. */
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
  /** Equal for equal texts of entries with equal ids: copies are found by it. */
  readonly fingerprint: number
  readonly snippet: string
  readonly ranges: [number, number][]
}

/** The answer to a `ScanJob`: hits, further matches, and ranges that could not be read. */
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

/** A scanner of files. It keeps its buffers for the next job. */
export class Scanner {
  private readonly disk: Disk
  private readonly decoders: SearchDecoders
  /** Readers that no job uses now. */
  private readonly idle: BlockReader[] = []
  private readonly toolNames = new ToolNamesCache()

  constructor(disk: Disk, decoders: SearchDecoders) {
    this.disk = disk
    this.decoders = decoders
  }

  /** Searches the ranges of a job. Stops early, with what it has, when the signal aborts. */
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
  toolNames: ToolNamesCache,
  job: ScanJob,
  signal: AbortSignal | undefined,
): Promise<ScanAnswer> {
  const matches: Match[] = []
  const moved: number[] = []
  const notices: string[] = []
  for (const [number, range] of job.ranges.entries()) {
    if (signal?.aborted) break
    const found = decoderNamed(decoders, range.decoder)
    if (found === undefined) continue
    const take = (entry: PlacedEntry) => {
      // Its lines are searched for the conversation that they are of.
      if (entry.key !== undefined && entry.key !== (range.lineKey ?? range.key)) return
      const named = ownEntry(entry, range)
      if (!passesTests(named, range, job.conditions.tests)) return
      if (!hasWords(fold(entry.text), job.conditions)) return
      matches.push({
        range: number,
        entry: named,
        time: entry.timestamp ?? range.updated ?? Number.NEGATIVE_INFINITY,
        key: range.lineKey === undefined ? (entry.key ?? range.key) : range.key,
      })
    }
    const names = needsToolNames(found.decoder, job.conditions) ? toolNames : undefined
    try {
      const { conditions } = job
      const end = await scanRange(disk, reader, found, range, conditions, names, take, signal)
      if (end.isMoved) moved.push(number)
      if (end.fault !== undefined) notices.push(`${path.basename(range.path)}: ${end.fault}.`)
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

/** The order of hits: see `SearchResult`. */
function byOrder(a: Match, b: Match): number {
  // Not by subtraction: -Infinity less itself is no number.
  if (a.time !== b.time) return a.time > b.time ? -1 : 1
  if (a.key !== b.key) return a.key < b.key ? -1 : 1
  return a.entry.line - b.entry.line
}

/** By the names that the conversation itself has, and gives. */
function ownEntry(
  entry: PlacedEntry,
  { idSuffix, lineKey }: Pick<ScanRange, 'idSuffix' | 'lineKey'>,
): PlacedEntry {
  const named = idSuffix ? { ...entry, entryId: idWith(entry, idSuffix) } : entry
  return lineKey === undefined ? named : { ...named, key: undefined }
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
