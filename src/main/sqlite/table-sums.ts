import { DiskError } from '../disk/interface/disk'
import type { DatabaseBytes } from './database-bytes'
import { leafPagesAfter, WalkedPages } from './leaf-pages'
import { rowSummer } from './row-sums'
import type { SumRow, TableDescription, TableSums } from './sum-query'

/** Sums as far as one reading goes. */
export interface SummedTable {
  readonly rows: readonly SumRow[]
  /** The last rowid that was summed; undefined where the table ends there. */
  readonly reached: number | undefined
}

/** Pages with rows that one reading sums up: it must be short, or a busy writer overtakes it. */
const mostPages = 8192

/**
 * Sums up rows by the pages of a table, without SQLite: reads only what stands on the rows' own pages, in runs. Undefined
 * where anything is not plain to see: a kind of table, column or value that only SQLite itself understands, text to be
 * escaped, a value on a further page, or damage, as rows out of their order, and pages that cannot be read. Holds a run of pages.
 */
export function sumTable(
  source: DatabaseBytes,
  table: TableDescription,
  sums: TableSums,
): SummedTable | undefined {
  try {
    return sumPages(source, table, sums)
  } catch (error) {
    // SQLite may not need that page, or says which it is.
    if (error instanceof DiskError) return undefined
    throw error
  }
}

function sumPages(
  source: DatabaseBytes,
  table: TableDescription,
  sums: TableSums,
): SummedTable | undefined {
  const summer = rowSummer(table, sums)
  const pages = WalkedPages.over(source)
  if (summer === undefined || pages === undefined) return undefined
  const { after } = sums
  let done = 0
  let reached = after
  for (const run of leafPagesAfter(pages, table.root, after)) {
    if (run === undefined) return undefined
    for (const bytes of pages.each(run)) {
      const last = bytes && summer.addPage(bytes, pages.layout, after)
      if (last === undefined) return undefined
      reached = last
    }
    done += run.length
    if (done < mostPages) continue
    // Rows that are not in their order would be summed up for ever.
    return reached === after ? undefined : { rows: summer.rows(), reached }
  }
  return { rows: summer.rows(), reached: undefined }
}
