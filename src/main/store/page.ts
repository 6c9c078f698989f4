import type { PageFrom, TranscriptPage, TranscriptRow } from '../../shared/model/transcript'
import type { Disk } from '../disk/disk'
import type { TranscriptFile } from './context-files'
import { cursorAt, type Position, positionAt, positionOf } from './cursor'
import { readLegacyDocument } from './legacy-document'
import type { LineFact } from './line-facts'
import { stepsBackward, stepsForward } from './steps'

/** A page ends early at this many bytes of lines, so that a few hundred huge ones do not fill the memory. */
const pageBytes = 8 * 1024 * 1024

/**
 * Reads one page. A line is never divided between pages, so a page may hold a few rows more than asked, and fewer when
 * its lines are huge.
 *
 * A torn last line stands in the page, but `after` lies before it: asked again, it is told again (whole by then, or
 * with the same key) until it has an end.
 */
export async function readPage(
  disk: Disk,
  context: string,
  files: readonly TranscriptFile[],
  from: PageFrom,
  limit: number,
  signal?: AbortSignal,
): Promise<TranscriptPage> {
  const end: Position = {
    file: Math.max(0, files.length - 1),
    offset: (await endOffset(disk, files.at(-1), context)) ?? 0,
    line: undefined,
  }
  if (from === 'end') return pageBefore(disk, context, files, end, end, limit, signal)
  if (from === 'start')
    return pageAfter(disk, context, files, { file: 0, offset: 0, line: 1 }, limit, signal)
  if ('before' in from) {
    const position = await positionOf(disk, from.before, files)
    return pageBefore(disk, context, files, position, end, limit, signal)
  }
  if ('around' in from) return pageAround(disk, context, files, end, from.around, limit, signal)
  const position = await positionOf(disk, from.after, files)
  return pageAfter(disk, context, files, position, limit, signal)
}

/** Half of the rows before a line, then the line and what follows it. */
async function pageAround(
  disk: Disk,
  context: string,
  files: readonly TranscriptFile[],
  end: Position,
  line: { readonly file: string; readonly offset: number },
  limit: number,
  signal: AbortSignal | undefined,
): Promise<TranscriptPage> {
  const position = await positionAt(disk, files, line)
  const half = Math.ceil(limit / 2)
  const above = await pageBefore(disk, context, files, position, end, half, signal)
  const below = await pageAfter(disk, context, files, position, half, signal)
  return { ...above, rows: [...above.rows, ...below.rows], after: below.after, atEnd: below.atEnd }
}

async function pageBefore(
  disk: Disk,
  context: string,
  files: readonly TranscriptFile[],
  position: Position,
  end: Position,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<TranscriptPage> {
  const groups: (readonly TranscriptRow[])[] = []
  let count = 0
  let bytes = 0
  let start = position
  let after = position
  let more = false
  for await (const { fact, from } of stepsBackward(disk, context, files, position, signal)) {
    if (fact.rows.length === 0) continue
    if (count >= limit || (bytes >= pageBytes && count > 0)) {
      more = true
      break
    }
    if (count === 0 && isTorn(fact)) after = from
    groups.push(fact.rows)
    count += fact.rows.length
    bytes += fact.place.length
    start = from
  }
  const atEnd = position.file === end.file && position.offset >= end.offset
  return page(files, groups.reverse().flat(), more ? start : undefined, start, after, atEnd)
}

async function pageAfter(
  disk: Disk,
  context: string,
  files: readonly TranscriptFile[],
  position: Position,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<TranscriptPage> {
  const rows: TranscriptRow[] = []
  let bytes = 0
  let after = position
  let more = false
  for await (const { fact, from, to } of stepsForward(disk, context, files, position, signal)) {
    if (fact.rows.length > 0) {
      if (rows.length >= limit || (bytes >= pageBytes && rows.length > 0)) {
        more = true
        break
      }
      rows.push(...fact.rows)
      bytes += fact.place.length
    }
    after = isTorn(fact) ? from : to
  }
  const isStart = position.offset === 0 && files.slice(0, position.file).every(isEmpty)
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
  const sizes = (some: readonly TranscriptFile[]) => some.reduce((n, f) => n + f.sizeBytes, 0)
  return {
    rows,
    ...(before === undefined ? {} : { before: cursor(before) }),
    after: cursor(after),
    atEnd,
    totalBytes: sizes(files),
    bytesBefore: sizes(files.slice(0, start.file)) + start.offset,
  }
}

async function endOffset(
  disk: Disk,
  file: TranscriptFile | undefined,
  context: string,
): Promise<number | undefined> {
  if (file?.kind !== 'document') return file?.sizeBytes
  return (await readLegacyDocument(disk, file, context)).facts.length
}

function isTorn(fact: LineFact): boolean {
  const row = fact.rows[0]
  return row?.type === 'damaged' && row.damaged.torn === true
}

function isEmpty(file: TranscriptFile): boolean {
  return file.sizeBytes === 0
}
