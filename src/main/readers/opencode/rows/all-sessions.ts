import type { SqlAnswer } from '../../../sqlite/database'
import { SqliteError } from '../../../sqlite/sqlite-error'
import type { AllRead } from '../../common/rows/conversation-lister'
import type { SchemaAnswer, SchemaReader, TableSchema } from '../../common/rows/table-schema'
import { mergeSums, type RowSums } from './merged-sums'
import {
  generationsOf,
  overviewQueries,
  type SeenRows,
  sessionQueries,
  sumQueryOf,
  type TableName,
} from './session-sql'
import { type SessionSums, seenIn, sumsFrom } from './session-sums'

/** Sessions whose own rows are read at once. */
const batch = 500

/**
 * Reads the sums of all sessions, by one walk over the pages of each table and not by an index: several times faster than a
 * session at a time. Each reading is short; where the database changes meanwhile, what is new is so to an overview of `seen`.
 * Undefined where SQLite has to read the rows, and where the database is damaged. @throws DiskError
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
  for (let at = 0; at < all.length; at += batch) {
    const some = all.slice(at, at + batch)
    const answers = await ask((now) =>
      generationsOf(now).flatMap((generation) => {
        const { heads, lasts } = sessionQueries(now, generation, some)
        return [heads, lasts]
      }),
    )
    for (const [n, { heads, lasts }] of own.entries()) {
      // Nothing keeps a session from having any number of rows.
      for (const row of answers[n * 2]?.rows ?? []) heads.rows.push(row)
      for (const row of answers[n * 2 + 1]?.rows ?? []) lasts.rows.push(row)
    }
  }
  const answers = own.flatMap(({ heads, lasts }, at) => [
    heads,
    rowsOf(sums[at]?.messages, (row) => row),
    lasts,
    // The ids of parts are in no line's beginning.
    rowsOf(sums[at]?.parts, (row) => row.filter((_, column) => column !== idsAt)),
  ])
  const found = sumsFrom(schema, answers)
  const inOrder = all.flatMap((id) => {
    const one = found.get(id)
    return one === undefined ? [] : [[id, one] as const]
  })
  return { state, changes, seen, found: new Map(inOrder) }
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
