import {
  type Cursor,
  firstRowsOfLines,
  rowKey,
  type TranscriptPage,
  type TranscriptRow,
} from '../../../shared/model/conversation/transcript'

/** Most rows kept in memory: pages at the far end of a longer run are dropped, and read again when needed. */
export const keptRows = 6000
/** Rows at which a page that grows by appends is closed, so that it can be dropped like others. */
const pageRows = 500

/** Consecutive pages of one transcript. */
export interface PageRun {
  readonly pages: readonly RunPage[]
  /** All rows of all pages, oldest first. */
  readonly rows: readonly TranscriptRow[]
  /** True where no row follows the last page. */
  readonly atEnd: boolean
  readonly totalBytes: number
  readonly bytesBefore: number
  /** Bytes after the last page; lines without rows in it count among them. */
  readonly bytesAfter: number
}

interface RunPage {
  readonly rows: readonly TranscriptRow[]
  readonly before: Cursor | undefined
  readonly after: Cursor
  readonly bytesBefore: number
}

/** Run without pages. */
export const emptyRun: PageRun = {
  pages: [],
  rows: [],
  atEnd: true,
  totalBytes: 0,
  bytesBefore: 0,
  bytesAfter: 0,
}

/** Makes a run of one page. */
export function startRun(page: TranscriptPage): PageRun {
  return runOf([pageOf(page)], page.atEnd, page.totalBytes)
}

/** Puts a page before the run; pages at the end are dropped while the run is too long. */
export function prependPage(run: PageRun, page: TranscriptPage): PageRun {
  const pages = [pageOf(page), ...run.pages]
  let count = pages.reduce((sum, { rows }) => sum + rows.length, 0)
  let atEnd = run.atEnd
  while (count > keptRows && pages.length > 2) {
    count -= pages.pop()?.rows.length ?? 0
    atEnd = false
  }
  return runOf(pages, atEnd, page.totalBytes)
}

/** Puts a page after the run; pages at the start are dropped while the run is too long. */
export function appendPage(run: PageRun, page: TranscriptPage): PageRun {
  return trimmedStart(runOf([...run.pages, pageOf(page)], page.atEnd, page.totalBytes))
}

/**
 * Adds appended rows to the last page; rows that are there already are not doubled, and a torn last line is replaced
 * by its entry.
 */
export function appendRows(run: PageRun, rows: readonly TranscriptRow[], after: Cursor): PageRun {
  const here = new Set(run.rows.slice(-Math.max(pageRows, rows.length)).map(rowKey))
  const fresh = rows.filter((row) => !here.has(rowKey(row)))
  if (fresh.length === 0) return run
  // A torn last line that is complete now comes as an entry at the same place.
  const starts = new Set(fresh.map(placeOf))
  const last = run.pages.at(-1)
  const rest = run.pages.slice(0, -1)
  const pages: RunPage[] =
    last === undefined
      ? [{ rows: fresh, before: undefined, after, bytesBefore: 0 }]
      : last.rows.length >= pageRows
        ? [...rest, last, { rows: fresh, before: last.after, after, bytesBefore: run.totalBytes }]
        : [
            ...rest,
            {
              ...last,
              rows: [...last.rows.filter((row) => !isReplaced(row, starts)), ...fresh],
              after,
            },
          ]
  return trimmedStart(runOf(pages, true, run.totalBytes))
}

/** Returns the cursor of the page before the run; undefined at the transcript's start. */
export function cursorBefore(run: PageRun): Cursor | undefined {
  return run.pages[0]?.before
}

/** Returns the cursor of the page after the run; undefined for an empty run. */
export function cursorAfter(run: PageRun): Cursor | undefined {
  return run.pages.at(-1)?.after
}

function isReplaced(row: TranscriptRow, starts: ReadonlySet<string>): boolean {
  return row.type === 'damaged' && row.damaged.torn === true && starts.has(placeOf(row))
}

function placeOf(row: TranscriptRow): string {
  const { file, offset } = row.type === 'entry' ? row.entry : row.damaged
  return `${file}:${offset}`
}

function trimmedStart(run: PageRun): PageRun {
  const pages = [...run.pages]
  let count = run.rows.length
  while (count > keptRows && pages.length > 2) count -= pages.shift()?.rows.length ?? 0
  return pages.length === run.pages.length ? run : runOf(pages, run.atEnd, run.totalBytes)
}

function pageOf({ rows, before, after, bytesBefore }: TranscriptPage): RunPage {
  return { rows, before, after, bytesBefore }
}

function runOf(pages: readonly RunPage[], atEnd: boolean, totalBytes: number): PageRun {
  const last = pages.at(-1)
  return {
    pages,
    rows: pages.flatMap(({ rows }) => rows),
    atEnd,
    totalBytes,
    bytesBefore: pages[0]?.bytesBefore ?? 0,
    bytesAfter:
      atEnd || last === undefined
        ? 0
        : Math.max(0, totalBytes - last.bytesBefore - bytesOf(last.rows)),
  }
}

function bytesOf(rows: readonly TranscriptRow[]): number {
  return firstRowsOfLines(rows).reduce((sum, row) => sum + lineBytes(row), 0)
}

/** Returns the bytes of a row's line. */
export function lineBytes(row: TranscriptRow): number {
  return (row.type === 'entry' ? row.entry : row.damaged).length
}

/** Finds the row of a page whose line begins at so many bytes of the transcript or first after them, or else the last one. */
export function rowNear(
  { rows, bytesBefore }: Pick<PageRun, 'rows' | 'bytesBefore'>,
  bytes: number,
): TranscriptRow | undefined {
  let before = bytesBefore
  for (const row of firstRowsOfLines(rows)) {
    if (before >= bytes) return row
    before += lineBytes(row)
  }
  return rows.at(-1)
}
