import { pushAll } from '../../../shared/model/basics/long-lists'
import type {
  PageFrom,
  TranscriptPage,
  TranscriptRow,
} from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import type { TranscriptFile } from '../files/context-files'
import { cursorAt, type Position, resolveCursor, resolveLineStart } from '../lines/cursor'
import { openUnmoved } from '../lines/file-facts'
import { readLegacyDocument } from '../lines/legacy-document'
import type { LineDecode, LineFact } from '../lines/line-facts'
import { stepsBackward, stepsForward } from '../lines/line-steps'
import { ownBytes, positionNear } from '../lines/position-near'
import { countLineFeeds } from '../lines/raw-line'

/** A page ends early at this many bytes of lines, so that a few hundred huge ones do not fill the memory. */
const pageBytes = 8 * 1024 * 1024

/** The files that pages are read from, with their decoder. */
export interface PageSource {
  readonly disk: Disk
  /** For messages about it. */
  readonly name: string
  /** In reading order. */
  readonly files: readonly TranscriptFile[]
  /** Meaning of a line of it; chibi's own lines by default. */
  readonly decode?: LineDecode
  /** Counts the lines, for a format whose entries are named by them; costs reading every byte before the page. */
  readonly isNumbered?: boolean
}

/**
 * Reads one page. A line is never divided between pages, so a page may have a few rows more than `limit`, and fewer
 * when its lines are huge.
 *
 * A torn last line is on the page, but `after` is before it: the next page from there has it again (complete by then,
 * or with the same key) until it has an end.
 */
export async function readRowPage(
  source: PageSource,
  from: PageFrom,
  limit: number,
  signal?: AbortSignal,
): Promise<TranscriptPage> {
  const { files } = source
  const last: Position = {
    file: Math.max(0, files.length - 1),
    offset: (await endOffset(source, files.at(-1))) ?? 0,
    line: undefined,
  }
  if (from === 'start') return pageAfter(source, beginningOf(files), limit, signal)
  if (from === 'end') return pageBefore(source, await numbered(source, last), last, limit, signal)
  const position = await numbered(source, await positionFrom(source, from))
  if ('before' in from) return pageBefore(source, position, last, limit, signal)
  if ('after' in from) return pageAfter(source, position, limit, signal)
  // Half of the rows before the line, then the line itself and what follows.
  const half = Math.ceil(limit / 2)
  const above = await pageBefore(source, position, last, half, signal)
  const below = await pageAfter(source, position, half, signal)
  // At the end nothing follows: then `after` is before a last line that may still grow.
  const { after, atEnd } = below.rows.length === 0 ? above : below
  return { ...above, rows: [...above.rows, ...below.rows], after, atEnd }
}

function beginningOf(files: readonly TranscriptFile[]): Position {
  return { file: 0, ...(files[0]?.begin ?? { offset: 0, line: 1 }) }
}

function positionFrom(
  { disk, files }: PageSource,
  from: Exclude<PageFrom, string>,
): Promise<Position> {
  if ('around' in from) return resolveLineStart(disk, files, from.around)
  if ('near' in from) return positionNear(disk, files, from.near)
  return resolveCursor(disk, 'before' in from ? from.before : from.after, files)
}

/** The position with the number of its line, where the source's lines have numbers. */
async function numbered(source: PageSource, position: Position): Promise<Position> {
  const file = source.files[position.file]
  if (!source.isNumbered || position.line !== undefined || file === undefined) return position
  const opened = await openUnmoved(source.disk, file)
  try {
    return { ...position, line: 1 + (await countLineFeeds(opened, position.offset)) }
  } finally {
    await opened.close()
  }
}

async function pageBefore(
  source: PageSource,
  position: Position,
  end: Position,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<TranscriptPage> {
  const { disk, name, files, decode, isNumbered } = source
  const groups: (readonly TranscriptRow[])[] = []
  let count = 0
  let bytes = 0
  let start = position
  let after = position
  let more = false
  const steps = stepsBackward(disk, name, files, position, signal, decode, isNumbered)
  for await (const { fact, from } of steps) {
    if (fact.rows.length === 0) continue
    if (count >= limit || (bytes >= pageBytes && count > 0)) {
      more = true
      break
    }
    if (count === 0 && mayGrow(files, from, fact)) after = from
    groups.push(fact.rows)
    count += fact.rows.length
    bytes += fact.place.length
    start = from
  }
  const atEnd = position.file === end.file && position.offset >= end.offset
  return page(files, groups.reverse().flat(), more ? start : undefined, start, after, atEnd)
}

async function pageAfter(
  source: PageSource,
  position: Position,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<TranscriptPage> {
  const { disk, name, files, decode } = source
  const rows: TranscriptRow[] = []
  let bytes = 0
  let after = position
  let more = false
  const steps = stepsForward(disk, name, files, position, signal, decode)
  for await (const { fact, from, to } of steps) {
    if (fact.rows.length > 0) {
      if (rows.length >= limit || (bytes >= pageBytes && rows.length > 0)) {
        more = true
        break
      }
      pushAll(rows, fact.rows)
      bytes += fact.place.length
    }
    after = mayGrow(files, from, fact) ? from : to
  }
  const begin = files[position.file]?.begin?.offset ?? 0
  const isStart = position.offset <= begin && files.slice(0, position.file).every(isEmpty)
  return page(files, rows, isStart ? undefined : position, position, after, !more)
}

function page(
  files: readonly TranscriptFile[],
  rows: TranscriptRow[],
  before: Position | undefined,
  start: Position,
  after: Position,
  atEnd: boolean,
): TranscriptPage {
  const cursor = ({ file, offset, line }: Position) => cursorAt(files[file], offset, line)
  const sizes = (some: readonly TranscriptFile[]) => some.reduce((n, f) => n + ownBytes(f), 0)
  return {
    rows,
    ...(before === undefined ? {} : { before: cursor(before) }),
    after: cursor(after),
    atEnd,
    totalBytes: sizes(files),
    bytesBefore:
      sizes(files.slice(0, start.file)) + bytesInFile(files[start.file], start.offset, rows[0]),
  }
}

/** Bytes of a file's own part before a position in it, at which `first` begins. */
function bytesInFile(
  file: TranscriptFile | undefined,
  offset: number,
  first: TranscriptRow | undefined,
): number {
  if (file?.kind !== 'document') return Math.max(0, offset - (file?.begin?.offset ?? 0))
  // Positions in a document are its records; a record's row knows its place in bytes.
  if (offset === 0) return 0
  const place = first?.type === 'entry' ? first.entry : first?.damaged
  return place?.file === file.place ? place.offset : file.sizeBytes
}

async function endOffset(
  { disk, name }: PageSource,
  file: TranscriptFile | undefined,
): Promise<number | undefined> {
  if (file?.kind !== 'document') return file?.sizeBytes
  return (await readLegacyDocument(disk, file, name)).facts.length
}

/** An unfinished line at the end of an earlier file is never finished: the page after it goes on in the next file. */
function mayGrow(files: readonly TranscriptFile[], { file }: Position, fact: LineFact): boolean {
  const row = fact.rows[0]
  return file === files.length - 1 && row?.type === 'damaged' && row.damaged.torn === true
}

function isEmpty(file: TranscriptFile): boolean {
  return ownBytes(file) === 0
}
