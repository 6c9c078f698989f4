import type { SqlAnswer } from '../../../sqlite/database'
import { SqliteError } from '../../../sqlite/sqlite-error'
import type { AllRead } from '../../common/rows/conversation-lister'
import type { SchemaAnswer, SchemaReader, TableSchema } from '../../common/rows/table-schema'
import { generationsOf, noRows, type TableName } from './generations'
import { mergeSums, type RowSums } from './merged-sums'
import { readSums } from './read-sums'
import {
  indexedCounts,
  overviewQueries,
  type SeenRows,
  sessionQueries,
  sumQueryOf,
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

/** Reads again, as long as the schema stays. @throws SqliteError */
type AskAgain = (queries: Ask) => Promise<readonly SqlAnswer[]>

async function readAll(reader: SchemaReader, path: string) {
  let begun: SchemaAnswer | undefined
  const ask: AskAgain = async (queries) => {
    const answer = await reader.read(path, queries)
    begun ??= answer
    if (answer.lost === undefined && answer.schema === begun.schema) return answer.answers
    throw new SqliteError('damaged', 'is damaged, or was upgraded meanwhile')
  }
  const overview = await ask((schema) =>
    generationsOf(schema).flatMap((generation) =>
      overviewQueries(schema, generation, undefined, 'ends'),
    ),
  )
  if (begun === undefined) return undefined
  const { schema, state, fault } = begun
  const changes = new Map<string, string>()
  const seen: SeenRows[] = []
  const sums: GenerationSums[] = []
  for (const [at, { messages, parts }] of generationsOf(schema).entries()) {
    const [sessions, ...ends] = overview.slice(at * 3, at * 3 + 3)
    for (const [id, time] of sessions?.rows ?? [])
      changes.set(String(id), `${changes.get(String(id)) ?? ''} ${time}`)
    seen.push(seenIn(ends))
    sums.push({
      messages: await sumsOf(ask, schema, messages),
      parts: await sumsOf(ask, schema, parts),
    })
  }
  const ids = new Set(changes.keys())
  for (const { messages, parts } of sums)
    for (const id of [...messages.keys(), ...parts.keys()]) ids.add(id)
  const { own, doubted } = await readOwnRows(ask, schema, [...ids], sums)
  const summed = new Map(sumsFrom(schema, answersOf(own, sums)))
  const indexed = await readByIndex(reader, path, doubted)
  if (indexed === undefined) return undefined
  const found = [...ids].flatMap((id) => {
    const one = doubted.has(id) ? indexed.get(id) : summed.get(id)
    return one === undefined ? [] : [[id, one] as const]
  })
  return { state, changes, seen, fault, found: new Map(found) }
}

/** The sums of a generation's messages, and of their parts, by session. */
interface GenerationSums {
  readonly messages: RowSums
  readonly parts: RowSums
}

/** The sessions' rows of a generation, and the lengths of their last messages' ids. */
interface OwnRows {
  readonly heads: CollectedRows
  readonly lasts: CollectedRows
}

/** Reads the sessions' own rows, some at a time, and names the sessions of which an index has another number of rows. */
async function readOwnRows(
  ask: AskAgain,
  schema: TableSchema,
  ids: readonly string[],
  sums: readonly GenerationSums[],
): Promise<{ readonly own: readonly OwnRows[]; readonly doubted: ReadonlySet<string> }> {
  const own: readonly OwnRows[] = sums.map(() => ({ heads: noAnswer(), lasts: noAnswer() }))
  const doubted = new Set<string>()
  for (let at = 0; at < ids.length; at += batch) {
    const some = ids.slice(at, at + batch)
    const answers = await ask((now) =>
      generationsOf(now).flatMap((generation) => {
        const { heads, lasts } = sessionQueries(now, generation, some)
        return [heads, lasts, ...indexedCounts(now, generation, some).map((one) => one ?? noRows)]
      }),
    )
    for (const [n, generation] of generationsOf(schema).entries()) {
      const [heads, lasts, ...counted] = answers.slice(n * 4, n * 4 + 4)
      // Nothing keeps a session from having any number of rows.
      for (const row of heads?.rows ?? []) own[n]?.heads.rows.push(row)
      for (const row of lasts?.rows ?? []) own[n]?.lasts.rows.push(row)
      const [messages, parts] = indexedCounts(schema, generation, some).map((query, table) =>
        query === undefined ? undefined : countsIn(counted[table]),
      )
      for (const id of some)
        if (differs(messages, sums[n]?.messages, id) || differs(parts, sums[n]?.parts, id))
          doubted.add(id)
    }
  }
  return { own, doubted }
}

/** Lays out what was read as the answers of `sessionQueries` are. */
function answersOf(own: readonly OwnRows[], sums: readonly GenerationSums[]): readonly SqlAnswer[] {
  return own.flatMap(({ heads, lasts }, at) => [
    heads,
    rowsOf(sums[at]?.messages, (row) => row),
    lasts,
    // The ids of parts are in no line's beginning.
    rowsOf(sums[at]?.parts, (row) => row.filter((_, column) => column !== idsAt)),
  ])
}

/** Reads the sums of some sessions by an index; undefined where the database is damaged. */
async function readByIndex(
  reader: SchemaReader,
  path: string,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, SessionSums> | undefined> {
  const all = [...ids]
  const found = new Map<string, SessionSums>()
  for (let at = 0; at < all.length; at += summedBatch) {
    const read = await readSums(reader, path, all.slice(at, at + summedBatch))
    if (read.lost !== undefined) return undefined
    for (const [id, one] of read.sums) found.set(id, one)
  }
  return found
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
  ask: AskAgain,
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

/** Rows of several answers. */
interface CollectedRows {
  readonly rows: SqlAnswer['rows'][number][]
  readonly isCut: false
}

function noAnswer(): CollectedRows {
  return { rows: [], isCut: false }
}

function rowsOf(
  sums: RowSums | undefined,
  columns: (row: SqlAnswer['rows'][number]) => SqlAnswer['rows'][number],
): SqlAnswer {
  const rows = [...(sums ?? [])].map(([id, numbers]) => columns([id, ...numbers]))
  return { rows, isCut: false }
}
