import { DiskError } from '../disk/interface/disk'
import type { DatabaseBytes } from './database-bytes'
import { type PageLayout, pageLayoutOf, parseTablePage } from './table-page'

/** Bytes that are read at once. */
const runBytes = 512 * 1024
/** Pages that are read along, since a reading of their own takes longer. */
const widestGap = 8

/** The pages of a database, read in runs: neighbours at once, and what lies between near ones with them. Holds one run. */
export class WalkedPages {
  readonly layout: PageLayout
  private readonly source: DatabaseBytes
  private readonly held: Buffer

  private constructor(source: DatabaseBytes, layout: PageLayout) {
    this.source = source
    this.layout = layout
    this.held = Buffer.allocUnsafeSlow(Math.max(runBytes, layout.pageSize))
  }

  /** Begins to read pages; undefined where the database's beginning is none. */
  static over(source: DatabaseBytes): WalkedPages | undefined {
    const head = Buffer.alloc(100)
    const layout = pageLayoutOf(head.subarray(0, source.read(head, 0)))
    return layout === undefined ? undefined : new WalkedPages(source, layout)
  }

  /** Reads one page into a buffer of its own; undefined where the file ends before its end. @throws DiskError */
  one(page: number): Buffer | undefined {
    const { pageSize } = this.layout
    if (!this.isThere(page)) return undefined
    const bytes = Buffer.alloc(pageSize)
    return this.source.read(bytes, (page - 1) * pageSize) < pageSize ? undefined : bytes
  }

  /**
   * Yields the bytes of pages in the given order, each valid until the next; undefined where the file ends before its end.
   *
   * @throws DiskError where one of these pages cannot be read
   */
  *each(pages: readonly number[]): Generator<Buffer | undefined> {
    const { pageSize } = this.layout
    const most = this.held.length / pageSize
    for (let at = 0; at < pages.length; ) {
      const first = pages[at] ?? 0
      let end = at + 1
      let last = first
      for (; end < pages.length; end++) {
        const next = pages[end] ?? 0
        if (next <= last || next - last > widestGap || next - first >= most) break
        last = next
      }
      const run = this.held.subarray(0, (last - first + 1) * pageSize)
      const read = this.isThere(first) && this.isThere(last) ? this.readRun(run, first) : 0
      for (; at < end; at++) {
        const from = ((pages[at] ?? 0) - first) * pageSize
        if (read === undefined) yield this.one(pages[at] ?? 0)
        else yield from + pageSize <= read ? run.subarray(from, from + pageSize) : undefined
      }
    }
  }

  /** Undefined where not all can be read: a page that was read along may be one that nobody asks for. */
  private readRun(run: Buffer, first: number): number | undefined {
    try {
      return this.source.read(run, (first - 1) * this.layout.pageSize)
    } catch (error) {
      if (error instanceof DiskError) return undefined
      throw error
    }
  }

  private isThere(page: number): boolean {
    return page >= 1 && page * this.layout.pageSize <= this.source.sizeBytes
  }
}

/** Trees of SQLite are no deeper. */
const deepest = 20

/**
 * Lists the pages that have the rows of a table behind a rowid, in order, those below one page at a time; ends with undefined
 * where a page above them is damaged, or there twice.
 */
export function* leafPagesAfter(
  pages: WalkedPages,
  root: number,
  after: number | undefined,
): Generator<readonly number[] | undefined> {
  const seen = new Set<number>()
  yield* below(root, 0)

  function* below(page: number, depth: number): Generator<readonly number[] | undefined> {
    const bytes = pages.one(page)
    // The first page of a database begins with its head, and is of no table with sums.
    const isNew = page > 1 && !seen.has(page) && depth < deepest
    seen.add(page)
    const found = bytes === undefined || !isNew ? undefined : parseTablePage(bytes, pages.layout)
    if (found === undefined) return yield undefined
    if (found.type === 'leaf') return yield [page]
    const children = found.children.filter(
      ({ lastRowid }) => after === undefined || lastRowid === undefined || lastRowid > after,
    )
    const [first] = children
    if (first === undefined) return yield undefined
    // All children of a page are of one kind.
    const firstBytes = pages.one(first.page)
    if (firstBytes?.readUInt8(0) === leafType) return yield children.map((child) => child.page)
    for (const child of children) yield* below(child.page, depth + 1)
  }
}

const leafType = 0x0d
