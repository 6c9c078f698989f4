import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { pushAll } from '../../../shared/model/basics/long-lists'
import type { EntryId } from '../../../shared/model/conversation/entry'
import {
  allowGaps,
  changeReading,
  Gap,
  refuseFailed,
} from '../../../shared/model/conversation/reading'
import type {
  FileLedger,
  PageFrom,
  TranscriptPage,
  TranscriptRow,
  WayName,
} from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { decodeSourceLine, unreadableSource } from '../../readers/common/json-lines'
import { forkRuleOf, type SourceFact, type SourceFile } from '../../readers/common/reader'
import { filledEntry } from '../../readers/filled-output'
import type { TranscriptReading } from '../../store/store'
import {
  FileMovedError,
  type LineDecode,
  type PageSource,
  readLineAt,
  readRowPage,
  type TranscriptFile,
} from '../../store/transcript-files'
import type { History } from './histories'
import { pageOfRows } from './page-of-rows'
import { type RowTrees, type TreeSource, wayPageOfRows } from './tree/row-trees'

/** The position of a page. */
interface HistoryPageRequest {
  readonly from: PageFrom
  readonly limit: number
  /** The way that `start` and `end` mean, in a conversation with branches inside. */
  readonly way?: WayName | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads a page of another system's conversation from either end, as of a context; where entries have parents, of one way
 * through it.
 *
 * Entries have the ids that the file gives them, which for a format without ids are line numbers: the line feeds
 * before the page are counted, at gigabytes a second. Where entries have parents, all lines are read once. Documents and
 * unordered lines are read in full. Of saved outputs their entries have the beginning.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function historyPage(
  disk: Disk,
  trees: RowTrees,
  history: History,
  request: HistoryPageRequest,
): Promise<TranscriptPage> {
  const page = await plainPage(disk, trees, history, request)
  if (history.reader.savedOutputs === undefined) return page
  const place = { reader: history.reader, root: history.ref.root }
  const rows = await mapConcurrent(page.rows, async (row) =>
    row.type === 'entry'
      ? { ...row, entry: await filledEntry(disk, place, row.entry, mostOnPage) }
      : row,
  )
  return { ...page, rows: [...rows] }
}

/** Bytes of a saved output that come with a page; the others are read when they are asked for. */
const mostOnPage = 64 * 1024

async function plainPage(
  disk: Disk,
  trees: RowTrees,
  history: History,
  { from, limit, way, signal }: HistoryPageRequest,
): Promise<TranscriptPage> {
  const forkRule = forkRuleOf(history.reader, history.ref)
  if (isReadWhole(history)) {
    const { rows, leaves } = await readWholeRows(disk, history, signal)
    if (forkRule === undefined) return pageOfRows(rows, from, limit)
    return wayPageOfRows(rows, leaves, forkRule, { from, limit, way, signal })
  }
  return settled(disk, history, (source) => {
    const tree = treeSourceOf(history, source.files)
    if (tree !== undefined) return trees.page(tree, { from, limit, way, signal })
    return readRowPage(source, from, limit, signal)
  })
}

/**
 * Finds the line of an entry in a conversation whose entries have parents; `unknown` for all others, and for those that are
 * read in full.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function locateInTree(
  disk: Disk,
  trees: RowTrees,
  history: History,
  entry: EntryId,
  signal?: AbortSignal,
): Promise<{ readonly file: string; readonly offset: number } | 'unknown' | undefined> {
  if (isReadWhole(history)) return 'unknown'
  return settled(disk, history, async (source) => {
    const tree = treeSourceOf(history, source.files)
    return tree === undefined ? 'unknown' : trees.locate(tree, entry, signal)
  })
}

/**
 * Reads the bytes of a line, or of a document's record, as they are on the disk, and its number.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export function historyLine(
  disk: Disk,
  history: History,
  file: string,
  offset: number,
  length: number,
): Promise<{ readonly bytes: Uint8Array; readonly line: number }> {
  return settled(disk, history, ({ name, files }) => {
    const found = files.find(({ place }) => place === file)
    if (found === undefined)
      throw new AppError('not-found', `${file} is not a file of this conversation.`)
    return readLineAt(disk, name, found, offset, length)
  })
}

/** A full read of another system's conversation. */
interface HistoryReading extends TranscriptReading {
  /** Where it may be now, once the rows have ended; see the fact `leaf`. */
  readonly leaves: readonly EntryId[]
}

/**
 * Starts a full read of another system's conversation, as rows; the ledgers are complete once the rows have ended.
 */
export function historyRows(
  disk: Disk,
  { reader, ref }: History,
  signal: AbortSignal = new AbortController().signal,
): HistoryReading {
  const ledgers: FileLedger[] = []
  const notices: string[] = []
  const leaves: EntryId[] = []
  async function* rowsOf(
    facts: AsyncIterable<SourceFact | Gap>,
  ): AsyncGenerator<TranscriptRow | Gap> {
    for await (const fact of facts) {
      if (fact instanceof Gap) yield fact
      else if (fact.type === 'file') ledgers.push(fact.ledger)
      else if (fact.type === 'notice') notices.push(fact.notice)
      else if (fact.type === 'leaf') pushAll(leaves, fact.leaves)
      else if (fact.type === 'entry') yield { type: 'entry', entry: fact.entry }
      else if (fact.type === 'damaged') yield { type: 'damaged', damaged: fact.damaged }
    }
  }
  const rows = changeReading(reader.read(ref, disk, signal), rowsOf)
  return { rows, ledgers, partitions: 0, strays: [], notices, leaves }
}

/**
 * Reads all rows of a conversation, and where it may be now. Damage is reported with the conversation; rows without what the disk
 * refused would look whole.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function readWholeRows(
  disk: Disk,
  history: History,
  signal: AbortSignal | undefined,
): Promise<{ readonly rows: readonly TranscriptRow[]; readonly leaves: readonly EntryId[] }> {
  const rows: TranscriptRow[] = []
  const { rows: reading, leaves } = historyRows(disk, history, signal)
  for await (const row of allowGaps(reading, refuseFailed(history.ref.key))) rows.push(row)
  return { rows, leaves }
}

/** Returns true for documents, and for lines that their reader puts in order. */
export function isReadWhole({ ref }: History): boolean {
  return ref.isUnordered === true || ref.files.some(({ isDocument }) => isDocument === true)
}

/**
 * Reads from the files as they are now; again when one was replaced in between, as systems do that write a file anew.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function settled<T>(
  disk: Disk,
  history: History,
  read: (source: PageSource) => Promise<T>,
): Promise<T> {
  const { root, files } = history.ref
  for (let tries = 0; ; tries++) {
    try {
      return await read(await sourceOf(disk, history))
    } catch (error) {
      if (error instanceof FileMovedError && tries < 5) continue
      throw unreadableSource(path.join(root, files.at(-1)?.file ?? ''), error)
    }
  }
}

async function sourceOf(disk: Disk, history: History): Promise<PageSource> {
  const { ref } = history
  const found = await mapConcurrent(ref.files, (file) => fileOf(disk, ref.root, file))
  const files = found.filter((file) => file !== undefined)
  if (files.length === 0)
    throw new AppError(
      'not-found',
      `${ref.files[0]?.file ?? 'The file of the conversation'} no longer exists.`,
    )
  const decodeLine = lineDecoderOf(history)
  // Numbers are counted, since `isNumbered` asks for them.
  const decode: LineDecode = (place, raw, line) => decodeLine(place, raw, line ?? 1)
  return { disk, name: ref.key, files, decode, isNumbered: true }
}

function lineDecoderOf({ reader, ref }: History): TreeSource['decode'] {
  const { meaningOf = nothing } = reader
  const own = new Map(
    ref.files.map(({ file, idSuffix, lineKey: key = ref.key }) => [file, { key, idSuffix }]),
  )
  return (place, raw, line) => decodeSourceLine(raw, place, line, meaningOf, own.get(place))
}

/**
 * Returns what the tree of a conversation's lines is read from; undefined for one without parents, and for files that other conversations
 * share, unless it has their beginning.
 */
export function treeSourceOf(
  history: History,
  files: readonly TranscriptFile[],
): TreeSource | undefined {
  const rule = forkRuleOf(history.reader, history.ref)
  const isShared = files.some(({ begin }) => begin !== undefined && begin.offset > 0)
  if (rule === undefined || history.ref.isLinear === true || isShared) return undefined
  return { key: history.key, files, decode: lineDecoderOf(history), rule }
}

/** Of a reader without lines. */
const nothing = () => 'not a line of a conversation'

async function fileOf(
  disk: Disk,
  root: string,
  { file, part }: SourceFile,
): Promise<TranscriptFile | undefined> {
  const whole = path.join(root, file)
  const stat = await disk.stat(whole)
  if (stat === undefined) return undefined
  const { sizeBytes, mtimeMs, identity } = stat
  const known = { path: whole, place: file, kind: 'active' as const, mtimeMs, identity }
  if (part === undefined) return { ...known, sizeBytes }
  const { offset, line, end } = part
  return { ...known, sizeBytes: Math.min(end, sizeBytes), begin: { offset, line } }
}
