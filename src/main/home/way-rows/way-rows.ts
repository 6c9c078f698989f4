import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import type {
  Cursor,
  TranscriptPage,
  TranscriptRow,
  WayName,
} from '../../../shared/model/conversation/transcript'
import type { Transcripts } from '../../library/transcripts'

/** Rows asked for at once; a page ends before at 8 MB of lines. */
const usualRows = 1_000_000

/** Taker of the rows of a way, in their order. */
export interface RowTaker {
  /** @param bytes of the conversation before the row's line, as pages count them */
  take(row: TranscriptRow, bytes: number): void
  /** The row that was taken last comes again: it was a line without an end. */
  dropLast(): void
  /** All rows come anew: files were replaced. */
  clear(): void
  /** True where no more is wanted now; asked after each page. */
  isEnough(): boolean
}

/** Where a row's line is, in bytes. */
interface Line {
  readonly file: string
  readonly offset: number
  readonly length: number
}

/** Reads the rows of one way through a conversation once, and then only what is new. */
export class WayRows {
  readonly key: LibraryKey
  readonly way: WayName | undefined
  /** Bytes of the conversation when it was read last, and those of all that was read. */
  totalBytes = 0
  bytesRead = 0
  /** True where no row followed those that were read. */
  isAtEnd = false
  private readonly taker: RowTaker
  private readonly pageRows: number
  private after: Cursor | undefined
  private isTorn = false

  /** @param pageRows most rows of a page, for tests */
  constructor(key: LibraryKey, way: WayName | undefined, taker: RowTaker, pageRows = usualRows) {
    this.key = key
    this.way = way
    this.taker = taker
    this.pageRows = pageRows
  }

  /**
   * Reads what is new since the last call, as far as it is wanted; all of it anew where files were replaced. A call that a signal ended
   * goes on where it was.
   *
   * @throws AppError `not-found`, `unreadable`; the signal's reason
   */
  async readOn(transcripts: Pick<Transcripts, 'page'>, signal: AbortSignal): Promise<void> {
    const wasBegun = this.after !== undefined
    try {
      if (await this.readPages(transcripts, signal)) return
    } catch (error) {
      const isReplaced = error instanceof AppError && error.code === 'not-found' && wasBegun
      if (!isReplaced) throw error
    }
    this.after = undefined
    this.isTorn = false
    this.totalBytes = 0
    this.bytesRead = 0
    this.taker.clear()
    await this.readPages(transcripts, signal)
  }

  /** Returns false where the files have become shorter: what was read is of others. */
  private async readPages(
    transcripts: Pick<Transcripts, 'page'>,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.isAtEnd = false
    while (!this.isAtEnd && !this.taker.isEnough()) {
      signal.throwIfAborted()
      const from = this.after === undefined ? 'start' : { after: this.after }
      const page = await transcripts.page(this.key, from, this.pageRows, signal, this.way)
      if (page.totalBytes < this.totalBytes) return false
      this.totalBytes = page.totalBytes
      if (this.isTorn) this.taker.dropLast()
      this.bytesRead = this.takeAll(page)
      const last = page.rows.at(-1)
      this.isTorn = last?.type === 'damaged' && last.damaged.torn === true
      this.after = page.after
      this.isAtEnd = page.atEnd || page.rows.length === 0
    }
    return true
  }

  /** Returns the bytes of the conversation up to the end of the page. */
  private takeAll({ rows, bytesBefore }: TranscriptPage): number {
    let bytes = bytesBefore
    let line: Line | undefined
    for (const row of rows) {
      const { file, offset, length } = row.type === 'entry' ? row.entry : row.damaged
      const next = { file, offset, length }
      if (line !== undefined) bytes += this.bytesBetween(line, next)
      line = next
      this.taker.take(row, bytes)
    }
    return bytes + (line?.length ?? 0)
  }

  /** Bytes from the beginning of a line to that of the next one, or of the same one, as the pages of the conversation count them. */
  private bytesBetween(line: Line, next: Line): number {
    const isSameFile = line.file === next.file
    if (isSameFile && line.offset === next.offset) return 0
    // Pages of other systems count lines without their ends, those of contexts all bytes of the files.
    if (parseLibraryKey(this.key).source !== 'chibi') return line.length
    return isSameFile && next.offset > line.offset ? next.offset - line.offset : line.length + 1
  }
}
