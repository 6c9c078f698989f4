import { type RowSource, type RowSum, sumOf } from './row-source'
import type { SchemaAnswer, SchemaReader, TableSchema } from './table-schema'

/** The conversations of a database at one moment. */
export interface RowListing {
  readonly sums: readonly RowSum[]
  /** The reason why conversations may be missing, as the end of a sentence. */
  readonly fault: string | undefined
}

interface Remembered {
  readonly state: string
  readonly listing: RowListing
  /** By name: what the overview told of it. */
  readonly seen: ReadonlyMap<string, string>
  readonly sums: ReadonlyMap<string, RowSum>
}

/** Conversations that are laid out at once, by an index: a query must be short, or a busy writer overtakes it. */
const indexedBatch = 16
/** The conversations that were changed last are laid out again with every change: values are written in place. */
const mostRecent = 8

/**
 * Creates a function that lists the conversations of a database and remembers them: the first list reads the length of every
 * value, later ones only of conversations that may have changed. It throws SqliteError.
 */
export function rowLister(
  reader: SchemaReader,
  source: RowSource,
): (path: string) => Promise<RowListing> {
  const remembered = new Map<string, Remembered>()
  return async (path) => {
    const before = remembered.get(path)
    const { schema, state, answers, lost } = await reader.read(path, (known) =>
      source.overview(known),
    )
    if (before?.state === state) return before.listing
    const seen = new Map<string, string>()
    for (const { rows } of answers)
      for (const [name, ...told] of rows)
        seen.set(String(name), `${seen.get(String(name)) ?? ''}${JSON.stringify(told)}`)
    const recent = recentNames(before?.sums)
    const isSame = (name: string) =>
      lost === undefined && !recent.has(name) && before?.seen.get(name) === seen.get(name)
    const sums = new Map<string, RowSum>()
    const wanted: string[] = []
    for (const name of seen.keys()) {
      const known = isSame(name) ? before?.sums.get(name) : undefined
      if (known === undefined) wanted.push(name)
      else sums.set(name, known)
    }
    let isLost = hasLost({ lost })
    // Without an index each query reads all rows: one for all conversations.
    const batch = isIndexed(schema, source) ? indexedBatch : Number.POSITIVE_INFINITY
    for (let at = 0; at < wanted.length; at += batch) {
      const names = wanted.slice(at, at + batch)
      const found = await reader.read(path, (known) => source.rows(known, names))
      isLost ||= hasLost(found)
      for (const one of source.layOut(found.answers, found.schema)) sums.set(one.name, sumOf(one))
    }
    const fault = isLost ? 'is damaged: not all of its rows can be read' : undefined
    const listing = { sums: [...sums.values()], fault }
    if (isLost) remembered.delete(path)
    else remembered.set(path, { state, listing, seen, sums })
    return listing
  }
}

/** True where the rows of a conversation are found by an index in each table that is there. */
function isIndexed({ columns, indexes }: TableSchema, { keyColumns }: RowSource): boolean {
  return Object.entries(keyColumns).every(
    ([table, column]) => column === '' || !columns.has(table) || indexes.has(table),
  )
}

/** Returns true for an answer that may lack rows. */
export function hasLost({ lost }: Pick<SchemaAnswer, 'lost'>): boolean {
  return lost !== undefined && lost.length > 0
}

function recentNames(sums: ReadonlyMap<string, RowSum> | undefined): ReadonlySet<string> {
  const sorted = [...(sums?.values() ?? [])].sort((a, b) => b.mtimeMs - a.mtimeMs)
  return new Set(sorted.slice(0, mostRecent).map(({ name }) => name))
}
