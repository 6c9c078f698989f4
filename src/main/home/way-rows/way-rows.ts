import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type {
  Cursor,
  TranscriptPage,
  TranscriptRow,
  WayName,
} from '../../../shared/model/conversation/transcript'
import type { Transcripts } from '../../library/transcripts'

/** Rows asked for at once; a page ends before at 8 MB of lines. */
const pageRows = 1_000_000

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

/** Reads the rows of one way through a conversation once, and then only what is new. */
export class WayRows {
  readonly key: LibraryKey
  readonly way: WayName | undefined
  /** Bytes of the conversation when it was read last, and those before the page that was read last. */
  totalBytes = 0
  bytesBefore = 0
  /** True where no row followed those that were read. */
  isAtEnd = false
  private readonly taker: RowTaker
  private after: Cursor | undefined
  private isTorn = false

  constructor(key: LibraryKey, way: WayName | undefined, taker: RowTaker) {
    this.key = key
    this.way = way
    this.taker = taker
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
    this.bytesBefore = 0
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
      const page = await transcripts.page(this.key, from, pageRows, signal, this.way)
      if (page.totalBytes < this.totalBytes) return false
      this.totalBytes = page.totalBytes
      this.bytesBefore = page.bytesBefore
      if (this.isTorn) this.taker.dropLast()
      this.takeAll(page)
      const last = page.rows.at(-1)
      this.isTorn = last?.type === 'damaged' && last.damaged.torn === true
      this.after = page.after
      this.isAtEnd = page.atEnd || page.rows.length === 0
    }
    return true
  }

  private takeAll({ rows, bytesBefore }: TranscriptPage): void {
    let bytes = bytesBefore
    let line:
      | { readonly file: string; readonly offset: number; readonly length: number }
      | undefined
    for (const row of rows) {
      const { file, offset, length } = row.type === 'entry' ? row.entry : row.damaged
      const isSameLine = line?.offset === offset && line.file === file
      if (!isSameLine) bytes += line?.length ?? 0
      line = { file, offset, length }
      this.taker.take(row, bytes)
    }
  }
}
