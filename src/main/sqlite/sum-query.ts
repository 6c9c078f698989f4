import type { SqlValue } from './engine'

/**
 * Sums over the rows of a table, a group for each text of a column, in the order of rowids. Plain data: it crosses to a
 * thread.
 */
export interface TableSums {
  readonly table: string
  /** The column whose texts name the groups; a row without one counts for none. */
  readonly key: string
  /** The bytes that these columns' values have in JSON are summed, blobs as hexadecimal digits. */
  readonly json: readonly string[]
  /** The bytes of this column's values are summed; a missing one has four. */
  readonly data: string
  /** The bytes that this column's values have in JSON are summed on their own. */
  readonly id: string
  /** The greatest of this column's whole numbers, and the sum of their remainders by 1,000,003; 0 for all without it. */
  readonly time: string | undefined
  /** Only rows behind this rowid; all rows where it is left out. */
  readonly after?: number | undefined
}

/**
 * The rows of `TableSums`: the key, and for its rows their number, bytes as JSON, bytes of data and of ids, newest time, check sum; null for
 * those two where no row has a time.
 */
export type SumRow = readonly [string, number, number, number, number, number | null, number | null]

/** A table as its schema describes it. */
export interface TableDescription {
  readonly root: number
  /** The statement that made it. */
  readonly sql: string
  readonly columns: readonly ColumnDescription[]
}

/** A column, as `pragma table_xinfo` has it. */
export interface ColumnDescription {
  readonly name: string
  readonly type: string
  readonly fallback: SqlValue
  readonly isKey: boolean
  readonly isHidden: boolean
}
