import { DiskError } from '../disk/interface/disk'
import type { DatabaseBytes } from './database-bytes'
import {
  type ChildPage,
  emptyLeaf,
  type PageLayout,
  pageLayoutOf,
  parseTablePage,
  withChildren,
} from './table-page'

/** Rows of a table that lie on pages that cannot be read. */
export interface LostRows {
  readonly table: string
  /** Rowids greater than this one; nearly, where it is beyond 2^53. */
  readonly after: number
  /** This rowid at most. */
  readonly to: number
  /** The disk could not read their page, which it may the next time. */
  readonly isUnread?: true
}

/** Trees of SQLite are no deeper. */
const deepest = 20

/**
 * A damaged database as SQLite can read it: the pages of tables that are damaged or cannot be read are left out of the pages above them,
 * and a file that was cut off is as long as it says. Indexes stay as they are, and must not be used.
 */
export class MendedPages implements DatabaseBytes {
  readonly sizeBytes: number
  readonly lost: LostRows[] = []
  private readonly source: DatabaseBytes
  private readonly layout: PageLayout | undefined
  /** Pages that SQLite is shown in place of those that are there, by number. */
  private readonly pages = new Map<number, Buffer>()
  private readonly seen = new Set<number>()
  /** Places that the disk could not read, in bytes. */
  private readonly unread = new Set<number>()

  /** @param unreadAt where the disk failed before, in bytes: the reason to look for damage */
  constructor(source: DatabaseBytes, unreadAt?: number) {
    this.source = source
    if (unreadAt !== undefined) this.unread.add(unreadAt)
    const head = Buffer.alloc(100)
    this.layout = pageLayoutOf(head.subarray(0, source.read(head, 0)))
    this.sizeBytes = Math.max(
      source.sizeBytes,
      this.layout === undefined ? 0 : sizeIn(head, this.layout),
    )
  }

  /** Finds the damaged pages of a table, and leaves them out; costs a reading of its pages. */
  mendTable(table: string, root: number): void {
    const { layout } = this
    if (layout === undefined) return
    const all = { after: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY }
    if (!this.mend(layout, root, { table, ...all }, 0)) this.pages.set(root, emptyLeaf(layout))
  }

  read(into: Uint8Array, offset: number): number {
    const { layout, source } = this
    if (layout === undefined || this.pages.size === 0) return source.read(into, offset)
    const within = offset % layout.pageSize
    const page = this.pages.get((offset - within) / layout.pageSize + 1)
    if (page === undefined) return source.read(into, offset)
    const piece = page.subarray(within, within + into.length)
    into.set(piece)
    return piece.length
  }

  /** Tells whether the disk can read now what it could not: then other pages are damaged than these. Tries each of them. */
  isReadableAgain(): boolean {
    const bytes = Buffer.alloc(this.layout?.pageSize ?? 1)
    return [...this.unread].some((at) => {
      try {
        this.source.read(bytes, at)
        return true
      } catch (error) {
        if (error instanceof DiskError) return false
        throw error
      }
    })
  }

  /** False where nothing below a page can be read; what is lost is noted. */
  private mend(layout: PageLayout, page: number, rows: LostRows, depth: number): boolean {
    const bytes = this.bytesOf(layout, page)
    const isNew = page > 1 && !this.seen.has(page) && depth < deepest
    this.seen.add(page)
    const found = isNew ? parseTablePage(bytes, layout) : undefined
    // SQLite takes an empty page for damaged, but for the first of a table.
    const isEmpty = found?.type === 'leaf' && found.rows === 0 && depth > 0
    if (found === undefined || isEmpty) {
      const isUnread = this.unread.has((page - 1) * layout.pageSize)
      this.lost.push(isUnread ? { ...rows, isUnread } : rows)
      return false
    }
    if (found.type === 'leaf') return true
    const whole: ChildPage[] = []
    let { after } = rows
    for (const child of found.children) {
      const to = child.lastRowid ?? rows.to
      if (this.mend(layout, child.page, { ...rows, after, to }, depth + 1)) whole.push(child)
      after = to
    }
    if (whole.length === found.children.length && whole.length > 1) return true
    const [only] = whole
    if (only === undefined) return false
    // A page above one alone is none: that one takes its place.
    const shown = whole.length > 1 ? withChildren(bytes, whole) : this.bytesOf(layout, only.page)
    this.pages.set(page, shown)
    return true
  }

  /** Fewer bytes where the file ends; none of a page that cannot be read. */
  private bytesOf({ pageSize }: PageLayout, page: number): Buffer {
    const bytes = Buffer.alloc(pageSize)
    const at = (page - 1) * pageSize
    try {
      return bytes.subarray(0, this.read(bytes, at))
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      this.unread.add(at)
      return bytes.subarray(0, 0)
    }
  }
}

/** The size that the head of a database tells, in bytes; 0 where an old program has not kept it. */
function sizeIn(head: Buffer, { pageSize }: PageLayout): number {
  const isKept = head.readUInt32BE(24) === head.readUInt32BE(92)
  return isKept ? head.readUInt32BE(28) * pageSize : 0
}
