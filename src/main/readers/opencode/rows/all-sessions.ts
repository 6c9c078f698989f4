import type { SqlAnswer } from '../../../sqlite/database'
import { SqliteError } from '../../../sqlite/sqlite-error'
import type { AllRead } from '../../common/rows/conversation-lister'
import type { SchemaAnswer, SchemaReader, TableSchema } from '../../common/rows/table-schema'
import { mergeSums, type RowSums } from './merged-sums'
import { readSums } from './read-sums'
import {
  generationsOf,
  indexedCounts,
  noRows,
  overviewQueries,
  type SeenRows,
  sessionQueries,
  sumQueryOf,
  type TableName,
} from './session-sql'
import { type SessionSums, seenIn, sumsFrom } from './session-sums'

/** Sessions whose own rows are read at once. */
const batch = 500
/** Sessions that are summed up by an index at once. */
const summedBatch = 50

/**
 * Reads the sums of all sessions, by one walk over the pages of each table and not by an index: several times faster than a
 * session at a time. Each reading is short; where the database changes meanwhile, what is new is so to an overview of `seen`.
 * A session of which an index has another number of rows is read by that index, as it is when it is opened. Undefined where
 * SQLite has to read the rows, and where the database is damaged. @throws DiskError
 */
export async function readAllSessions(
  reader: SchemaReader,
  path: string,
): Promise<AllRead<SessionSums, readonly SeenRows[]> | undefined> {
  try {
    return await readAll(reader, path)
  } catch (error) {
    // The reading of some at a time says what it is.
    if (error instanceof SqliteError) return undefined
    throw error
  }
}

/** The column of their sum in a row of sums. */
const idsAt = 4

type Ask = Parameters<SchemaReader['read']>[1]

async function readAll(reader: SchemaReader, path: string) {
  let begun: SchemaAnswer | undefined
  const ask = async (queries: Ask): Promise<readonly SqlAnswer[]> => {
    const answer = await reader.read(path, queries)
    begun ??= answer
    if (answer.lost === undefined && answer.schema === begun.schema) return answer.answers
    throw new SqliteError('damaged', 'is damaged, or was upgraded meanwhile')
  }
  const first = await ask((schema) =>
    generationsOf(schema).flatMap((generation) =>
      overviewQueries(schema, generation, undefined, 'ends'),
    ),
  )
  if (begun === undefined) return undefined
  const { schema, state } = begun
  const generations = generationsOf(schema)
  const changes = new Map<string, string>()
  const seen: SeenRows[] = []
  const sums: { readonly messages: RowSums; readonly parts: RowSums }[] = []
  const ids = new Set<string>()
  for (const [at, { messages, parts }] of generations.entries()) {
    const [sessions, ...ends] = first.slice(at * 3, at * 3 + 3)
    for (const [id, time] of sessions?.rows ?? [])
      changes.set(String(id), `${changes.get(String(id)) ?? ''} ${time}`)
    seen.push(seenIn(ends))
    sums.push({
      messages: await sumsOf(ask, schema, messages),
      parts: await sumsOf(ask, schema, parts),
    })
  }
  for (const id of changes.keys()) ids.add(id)
  for (const { messages, parts } of sums)
    for (const id of [...messages.keys(), ...parts.keys()]) ids.add(id)
  const own = generations.map(() => ({ heads: noAnswer(), lasts: noAnswer() }))
  const all = [...ids]
  const doubted: string[] = []
  for (let at = 0; at < all.length; at += batch) {
    const some = all.slice(at, at + batch)
    const answers = await ask((now) =>
      generationsOf(now).flatMap((generation) => {
        const { heads, lasts } = sessionQueries(now, generation, some)
        return [heads, lasts, ...indexedCounts(now, generation, some).map((one) => one ?? noRows)]
      }),
    )
    const isDoubted = generations.map((generation, n) => {
      const [messages, parts] = indexedCounts(schema, generation, some).map((query, table) =>
        query === undefined ? undefined : countsIn(answers[n * 4 + 2 + table]),
      )
      return (id: string) =>
        differs(messages, sums[n]?.messages, id) || differs(parts, sums[n]?.parts, id)
    })
    for (const id of some) if (isDoubted.some((doubts) => doubts(id))) doubted.push(id)
    for (const [n, { heads, lasts }] of own.entries()) {
      // Nothing keeps a session from having any number of rows.
      for (const row of answers[n * 4]?.rows ?? []) heads.rows.push(row)
      for (const row of answers[n * 4 + 1]?.rows ?? []) lasts.rows.push(row)
    }
  }
  const answers = own.flatMap(({ heads, lasts }, at) => [
    heads,
    rowsOf(sums[at]?.messages, (row) => row),
    lasts,
    // The ids of parts are in no line's beginning.
    rowsOf(sums[at]?.parts, (row) => row.filter((_, column) => column !== idsAt)),
  ])
  const found = new Map(sumsFrom(schema, answers))
  for (let at = 0; at < doubted.length; at += summedBatch) {
    const some = doubted.slice(at, at + summedBatch)
    const read = await readSums(reader, path, some)
    if (read.lost !== undefined) return undefined
    for (const id of some) {
      const one = read.sums.get(id)
      if (one === undefined) found.delete(id)
      else found.set(id, one)
    }
  }
  const inOrder = all.flatMap((id) => {
    const one = found.get(id)
    return one === undefined ? [] : [[id, one] as const]
  })
  return { state, changes, seen, found: new Map(inOrder) }
}

/** The number of rows of each session, of an index. */
type Counts = ReadonlyMap<string, number>

function countsIn(answer: SqlAnswer | undefined): Counts {
  return new Map((answer?.rows ?? []).map(([id, count]) => [String(id), Number(count)]))
}

/** False where there is no index. */
function differs(counts: Counts | undefined, sums: RowSums | undefined, id: string): boolean {
  return counts !== undefined && (counts.get(id) ?? 0) !== (sums?.get(id)?.[0] ?? 0)
}

/** Sums up all rows of a table, some pages at a time. @throws SqliteError */
async function sumsOf(
  ask: (queries: Ask) => Promise<readonly SqlAnswer[]>,
  schema: TableSchema,
  table: TableName | undefined,
): Promise<RowSums> {
  const merged: RowSums = new Map()
  let after: number | undefined
  do {
    const query = sumQueryOf(schema, table, after)
    if (query === undefined) return merged
    const [answer] = await ask(() => [query])
    mergeSums(merged, answer?.rows ?? [])
    after = answer?.reached
  } while (after !== undefined)
  return merged
}

function noAnswer(): { readonly rows: SqlAnswer['rows'][number][]; readonly isCut: false } {
  return { rows: [], isCut: false }
}

function rowsOf(
  sums: RowSums | undefined,
  columns: (row: SqlAnswer['rows'][number]) => SqlAnswer['rows'][number],
): SqlAnswer {
  const rows = [...(sums ?? [])].map(([id, numbers]) => columns([id, ...numbers]))
  return { rows, isCut: false }
}
