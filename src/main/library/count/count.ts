import path from 'node:path'
import { allowGaps, type UnreadPart } from '../../../shared/model/conversation/reading'
import type { ConversationDrift } from '../../../shared/model/drift/drift'
import type { Disk } from '../../disk/interface/disk'
import type { SourceRef } from '../../readers/common/reader'
import type { ContextListing, Store, TranscriptReading } from '../../store/store'
import type { TranscriptFile } from '../../store/transcript-files'
import type { History } from '../sources/histories'
import { historyRows } from '../sources/history-transcript'
import type { Counter } from './counter'
import { driftOfDocuments } from './document-drift'
import type { CountJob } from './job-counter'
import { CountTally, type TallyCounts } from './tally'

/** The counts of a whole conversation. */
export interface ConversationCount {
  /** Those that were read: fewer than there are where one could not be. */
  readonly files: number
  readonly entries: number
  readonly lines: number
  readonly blank: number
  readonly damaged: number
  /** Archived ones. */
  readonly partitions: number
  readonly strays: readonly string[]
  /** Parts that could not be read: a sentence each. */
  readonly unread: readonly string[]
  readonly notices: readonly string[]
  /** Named by the entries, in order of first appearance. */
  readonly models: readonly string[]
  /** Names and versions in it that its reader does not know; absent where that was not checked. */
  readonly drift?: ConversationDrift | undefined
}

/**
 * Counts a context of ours as it was listed, or as it is now where its files have moved since. Holds one chunk at a
 * time.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function countContext(
  counter: Counter,
  store: Store,
  listing: ContextListing,
  signal?: AbortSignal,
): Promise<ConversationCount> {
  const { name, files, strays, notices, missing } = listing
  const partitions = files.filter(({ kind }) => kind === 'partition').length
  if (files.every(({ kind }) => kind !== 'document'))
    try {
      const counts = await counter.count({ source: 'chibi', key: name, files }, signal)
      return counted(counts, { partitions, strays, notices }, missing)
    } catch {
      signal?.throwIfAborted()
      // Files have moved, or one cannot be read: the long way finds the others.
    }
  return countTranscript(store, name, signal)
}

/** Counts another system's conversation; holds one chunk at a time. @throws AppError `not-found`, `unreadable` */
export async function countHistory(
  counter: Counter,
  disk: Disk,
  history: History,
  signal?: AbortSignal,
): Promise<ConversationCount> {
  const { reader, ref } = history
  const files = filesOf(ref)
  // Lines that take the place of others count for them: that is known once all were read.
  const isPlayed = ref.isUnordered === true && reader.accounts === undefined
  if (reader.meaningOf !== undefined && files !== undefined && !isPlayed)
    try {
      const counts = await counter.count({ source: ref.source, key: lineKeyOf(ref), files }, signal)
      const whole = await reader.withBeginning?.(ref, disk, signal ?? new AbortController().signal)
      return counted(counts, { partitions: 0, strays: [], notices: [] }, (whole ?? ref).unread)
    } catch {
      signal?.throwIfAborted()
      // It was replaced, or cannot be read: the reader reports why.
    }
  const rows = historyRows(disk, history, signal)
  const shared = reader.accounts !== undefined || ref.files.some(hasLineKey)
  const count = await (shared ? countShared(rows, ref.files.length) : countReading(rows))
  const drift = await (isPlayed && files !== undefined
    ? driftOfLines(counter, { source: ref.source, key: lineKeyOf(ref), files }, signal)
    : driftOfDocuments(disk, history))
  return { ...count, ...(drift && { drift }) }
}

/** Of lines that take the place of others: each is looked at, whatever counts in the end. */
async function driftOfLines(
  counter: Counter,
  job: CountJob,
  signal: AbortSignal | undefined,
): Promise<ConversationDrift | undefined> {
  try {
    return (await counter.count(job, signal)).drift
  } catch {
    signal?.throwIfAborted()
    return undefined // Its rows were read, or tell why not: what is new in it stays unchecked.
  }
}

function hasLineKey({ lineKey }: SourceRef['files'][number]): boolean {
  return lineKey !== undefined
}

/** As its lines name it. */
function lineKeyOf({ key, files }: SourceRef): string {
  return files[0]?.lineKey ?? key
}

/** Files that several conversations share, and documents, have no ledgers in a reading. */
async function countShared(reading: TranscriptReading, files: number): Promise<ConversationCount> {
  const tally = new CountTally()
  const lines = new Set<string>()
  const unread: UnreadPart[] = []
  for await (const row of allowGaps(reading.rows, (part) => unread.push(part))) {
    const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
    lines.add(`${offset} ${file}`)
    if (row.type === 'entry') tally.addEntry(row.entry)
    else tally.damaged += 1
  }
  return counted({ ...tally.counts, files, lines: lines.size }, reading, unread)
}

/** As lines; undefined where one is no file of lines, or has no stat. */
function filesOf({ root, files }: SourceRef): readonly TranscriptFile[] | undefined {
  const found: TranscriptFile[] = []
  for (const { file, bytes, mtimeMs, identity, isDocument, part } of files) {
    if (mtimeMs === undefined || identity === undefined || isDocument) return undefined
    const known = { path: path.join(root, file), place: file, kind: 'active' as const }
    const sizeBytes = part?.end ?? bytes
    const begin = part === undefined ? {} : { begin: part }
    found.push({ ...known, sizeBytes, mtimeMs, identity, ...begin })
  }
  return found
}

/** Counts a context of ours; see `countReading`. @throws AppError `not-found`, `unreadable` */
export async function countTranscript(
  store: Store,
  name: string,
  signal?: AbortSignal,
): Promise<ConversationCount> {
  return countReading(await store.readWhole(name, signal))
}

/** Counts a conversation by reading all of it; holds one chunk at a time. @throws AppError `not-found`, `unreadable` */
export async function countReading(reading: TranscriptReading): Promise<ConversationCount> {
  const tally = new CountTally()
  const unread: UnreadPart[] = []
  for await (const row of allowGaps(reading.rows, (part) => unread.push(part)))
    if (row.type === 'entry') tally.addEntry(row.entry)
  for (const { lines, blank, damaged } of reading.ledgers) {
    tally.files += 1
    tally.lines += lines
    tally.blank += blank
    tally.damaged += damaged.length
  }
  return counted(tally.counts, reading, unread)
}

function counted(
  { files, entries, lines, blank, damaged, broken, models, drift }: TallyCounts,
  { partitions, strays, notices }: Pick<TranscriptReading, 'partitions' | 'strays' | 'notices'>,
  parts: readonly UnreadPart[] = [],
): ConversationCount {
  const unread = [...broken, ...parts.map(({ sentence }) => sentence)]
  const lost = { partitions, strays, unread, notices }
  return { files, entries, lines, blank, damaged, ...lost, models, ...(drift && { drift }) }
}
