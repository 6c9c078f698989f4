import path from 'node:path'
import { allowGaps, type UnreadPart } from '../../../shared/model/conversation/reading'
import type { ConversationDrift } from '../../../shared/model/drift/drift'
import type { Disk } from '../../disk/interface/disk'
import type { SourceRef } from '../../readers/common/reader'
import type { TranscriptReading } from '../../store/store'
import type { TranscriptFile } from '../../store/transcript-files'
import type { History } from '../sources/histories'
import { historyRows } from '../sources/history-transcript'
import { driftOfDocuments } from './document-drift'
import type { CountJob, jobCounter } from './job-counter'
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

/** Counts jobs of lines. */
interface LineCounter {
  readonly count: ReturnType<typeof jobCounter>
}

/** Counts another system's conversation by reading all of it; holds one chunk at a time. @throws AppError `not-found`, `unreadable` */
export async function countByReading(
  counter: LineCounter,
  disk: Disk,
  history: Pick<History, 'reader' | 'ref' | 'key'>,
  signal?: AbortSignal,
): Promise<ConversationCount> {
  const { reader, ref } = history
  const files = lineFilesOf(ref)
  const rows = historyRows(disk, history, signal)
  const shared = reader.accounts !== undefined || ref.files.some(hasLineKey)
  const count = await (shared ? countShared(rows, ref.files.length) : countReading(rows))
  const drift = await (isPlayed(history) && files !== undefined
    ? driftOfLines(counter, { source: ref.source, key: lineKeyOf(ref), files }, signal)
    : driftOfDocuments(disk, history))
  return { ...count, ...(drift && { drift }) }
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
  return conversationCountOf(tally.counts, reading, unread)
}

/** Returns true where lines may take the place of others: which ones count is known once all were read. */
export function isPlayed({ reader, ref }: Pick<History, 'reader' | 'ref'>): boolean {
  return ref.isUnordered === true && reader.accounts === undefined
}

/** Returns the key of a conversation as its lines name it. */
export function lineKeyOf({ key, files }: SourceRef): string {
  return files[0]?.lineKey ?? key
}

/** Returns the files of a conversation, to be read as lines; undefined where one is no file of lines, or has no stat. */
export function lineFilesOf({ root, files }: SourceRef): readonly TranscriptFile[] | undefined {
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

/** Makes the counts of a conversation of those of its lines, and of what its listing tells. */
export function conversationCountOf(
  { files, entries, lines, blank, damaged, broken, models, drift }: TallyCounts,
  { partitions, strays, notices }: Pick<TranscriptReading, 'partitions' | 'strays' | 'notices'>,
  parts: readonly UnreadPart[] = [],
): ConversationCount {
  const unread = [...broken, ...parts.map(({ sentence }) => sentence)]
  const lost = { partitions, strays, unread, notices }
  return { files, entries, lines, blank, damaged, ...lost, models, ...(drift && { drift }) }
}

/** Of lines that take the place of others: each is looked at, whatever counts in the end. */
async function driftOfLines(
  counter: LineCounter,
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
  return conversationCountOf({ ...tally.counts, files, lines: lines.size }, reading, unread)
}
