import { AppError } from '../../../shared/model/basics/errors'
import {
  Cursor,
  firstRowsOfLines,
  type PageFrom,
  type TranscriptPage,
  type TranscriptRow,
} from '../../../shared/model/conversation/transcript'

/**
 * Returns a page of rows that are all in memory, for conversations that are read in full.
 *
 * @throws AppError `bad-argument`, `not-found`
 */
export function pageOfRows(
  rows: readonly TranscriptRow[],
  from: PageFrom,
  limit: number,
): TranscriptPage {
  const [start, end] = rangeOf(rows, from, limit)
  return {
    rows: rows.slice(start, end),
    ...(start > 0 ? { before: cursorAt(rows, start) } : {}),
    after: cursorAt(rows, end),
    atEnd: end >= rows.length,
    totalBytes: bytesOf(rows),
    bytesBefore: bytesBefore(rows, start),
  }
}

function rangeOf(
  rows: readonly TranscriptRow[],
  from: PageFrom,
  limit: number,
): readonly [start: number, end: number] {
  const count = rows.length
  if (from === 'start') return [0, Math.min(limit, count)]
  if (from === 'end') return [Math.max(0, count - limit), count]
  if ('before' in from) {
    const end = indexOf(rows, from.before)
    return [Math.max(0, end - limit), end]
  }
  if ('after' in from) {
    const start = indexOf(rows, from.after)
    return [start, Math.min(start + limit, count)]
  }
  const half = Math.ceil(limit / 2)
  if ('near' in from) {
    const near = indexAtBytes(rows, from.near)
    return [Math.max(0, near - half), Math.min(near + half, count)]
  }
  const { file, offset } = from.around
  const at = rows.findIndex((row) => {
    const place = placeOf(row)
    return place.file === file && place.offset === offset
  })
  if (at === -1) throw new AppError('not-found', `${file} no longer has this line.`)
  return [Math.max(0, at - half), Math.min(at + half, count)]
}

/** The first row that begins at so many bytes or after them; their number where there is none. */
function indexAtBytes(rows: readonly TranscriptRow[], bytes: number): number {
  let before = 0
  for (const row of firstRowsOfLines(rows)) {
    if (before >= bytes) return rows.indexOf(row)
    before += placeOf(row).length
  }
  return rows.length
}

/** Names the row before it, so that a changed order of rows is noticed. */
function cursorAt(rows: readonly TranscriptRow[], index: number): Cursor {
  const before = rows[index - 1]
  return Cursor.parse(`rows|${index}|${before === undefined ? '' : nameOf(before)}`)
}

function indexOf(rows: readonly TranscriptRow[], cursor: Cursor): number {
  const [, text, name] = /^rows\|(\d+)\|(.*)$/s.exec(cursor) ?? []
  if (text === undefined)
    throw new AppError('bad-argument', 'This is not a position in a transcript.')
  const index = Number(text)
  const before = rows[index - 1]
  if (index > 0 && (before === undefined || nameOf(before) !== name))
    throw new AppError('not-found', 'The transcript was replaced; it must be read again.')
  return index
}

function nameOf(row: TranscriptRow): string {
  const { offset, length, file } = placeOf(row)
  return `${offset} ${length} ${file}`
}

/** Bytes before the line of a row, which may be one of several that the line gives. */
function bytesBefore(rows: readonly TranscriptRow[], index: number): number {
  const row = rows[index]
  return bytesOf(rows.slice(0, index + 1)) - (row === undefined ? 0 : placeOf(row).length)
}

function bytesOf(rows: readonly TranscriptRow[]): number {
  return firstRowsOfLines(rows).reduce((sum, row) => sum + placeOf(row).length, 0)
}

function placeOf(row: TranscriptRow) {
  return row.type === 'entry' ? row.entry : row.damaged
}
