import type { SqlAnswer } from '../../../sqlite/database'

/** Sums of the rows of each session: their number, bytes as JSON, of data and of ids, the newest time, and the check sum. */
export type RowSums = Map<string, readonly (number | null)[]>

const newestAt = 4

/** Adds the rows of an answer for sums (`SumRow`) to those of others about the same table. */
export function mergeSums(into: RowSums, rows: SqlAnswer['rows']): void {
  for (const [id, ...values] of rows) {
    const more = values.map((value) => (typeof value === 'number' ? value : null))
    const known = into.get(String(id))
    const merged = known === undefined ? more : more.map((value, at) => both(known[at], value, at))
    into.set(String(id), merged)
  }
}

function both(one: number | null | undefined, other: number | null, at: number): number | null {
  if (one === null || one === undefined) return other
  if (other === null) return one
  return at === newestAt ? Math.max(one, other) : one + other
}
