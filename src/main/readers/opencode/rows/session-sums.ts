import { createHash } from 'node:crypto'
import type { SqlAnswer } from '../../../sqlite/database'
import type { SqlValue } from '../../../sqlite/engine'
import type { SchemaQuery, TableSchema } from '../../common/rows/table-schema'
import { type Generation, generationsOf, noRows } from './generations'
import { headRow, messageRows, partRows, type SeenRows, sessionQueries } from './session-sql'

/** Size and state of a session's record file, without its text. */
export interface SessionSums {
  readonly id: string
  readonly generation: Generation
  /** The session's row as JSON; undefined where messages have outlived it. */
  readonly head: string | undefined
  /** The id, as JSON, of the message where a reverted session is now. */
  readonly leaf: string | undefined
  readonly messageCount: number
  readonly sizeBytes: number
  /** Unix milliseconds of the newest change. */
  readonly mtimeMs: number
  /** Another text whenever any row of the session may be another. */
  readonly stamp: string
}

/** The rows that sums are of: sessions with their own rows, or their messages and parts alone. */
export type SumParts = 'all' | 'messages'

/** Makes the queries that `sumsFrom` understands. */
export function sumQueries(
  schema: TableSchema,
  ids: readonly string[],
  sumOf: SumParts,
): readonly SchemaQuery[] {
  return generationsOf(schema).flatMap((generation) => {
    const { heads, messages, lasts, parts } = sessionQueries(schema, generation, ids)
    return [sumOf === 'all' ? heads : noRows, messages, lasts, parts]
  })
}

/** Reads the sums of each session, of its newest generation; sessions that are not there are left out. */
export function sumsFrom(
  schema: TableSchema,
  answers: readonly SqlAnswer[],
): ReadonlyMap<string, SessionSums> {
  const found = new Map<string, Sums>()
  for (const [at, generation] of generationsOf(schema).entries()) {
    const [heads, messages, lasts, parts] = answers.slice(at * 4, at * 4 + 4)
    const own = new Map<string, Sums>()
    const sums = (id: SqlValue | undefined): Sums => {
      const known = own.get(String(id)) ?? { generation, ...noSums }
      own.set(String(id), known)
      return known
    }
    for (const [id, head, leaf] of heads?.rows ?? [])
      Object.assign(sums(id), { head: text(head), leaf: text(leaf) })
    for (const [id, ...row] of messages?.rows ?? []) sums(id).messages = row.map(Number)
    for (const [id, bytes] of lasts?.rows ?? []) sums(id).last = Number(bytes)
    for (const [id, ...row] of parts?.rows ?? []) sums(id).parts = row.map(Number)
    for (const [id, one] of own) found.set(id, richer(found.get(id), one))
  }
  return new Map([...found].map(([id, sums]) => [id, sizedSums(id, sums)]))
}

/** Reads the greatest rowid of messages, and of parts, from the answers of `overviewQueries`. */
export function seenIn([messages, parts]: readonly SqlAnswer[]): SeenRows {
  const rowidIn = (answer: SqlAnswer | undefined) => {
    const rowid = answer?.rows[0]?.[0]
    return typeof rowid === 'number' ? rowid : 0
  }
  return { messages: rowidIn(messages), parts: rowidIn(parts) }
}

/** The rows of one session, and their sums. */
export interface SummedRows {
  readonly sums: SessionSums
  /** In order; see `messageRows`. */
  readonly messages: SqlAnswer['rows']
  /** By their ids; see `partRows`. */
  readonly parts: SqlAnswer['rows']
}

/** Makes the queries that `rowsWithSums` understands. */
export function sessionRowQueries(
  schema: TableSchema,
  session: string,
  sumOf: SumParts,
): readonly SchemaQuery[] {
  return generationsOf(schema).flatMap((generation) => [
    sumOf === 'all' ? headRow(schema, generation, session) : noRows,
    messageRows(schema, generation, session),
    partRows(schema, generation, session),
  ])
}

/** Sums up the rows of a session, of its newest generation, as `sumsFrom` does; undefined where it is not there. */
export function rowsWithSums(
  schema: TableSchema,
  session: string,
  answers: readonly SqlAnswer[],
): SummedRows | undefined {
  let found: Sums | undefined
  const rowsOf = new Map<Generation, Pick<SummedRows, 'messages' | 'parts'>>()
  for (const [at, generation] of generationsOf(schema).entries()) {
    const [heads = none, messages = none, parts = none] = answers
      .slice(at * 3, at * 3 + 3)
      .map(({ rows }) => rows)
    rowsOf.set(generation, { messages, parts })
    const [head] = heads
    if (head === undefined && messages.length === 0 && parts.length === 0) continue
    found = richer(found, {
      generation,
      head: text(head?.[1]),
      leaf: text(head?.[2]),
      messages: sumsOf(messages, [2, 3, 4], 5),
      last: Number(messages.at(-1)?.[4] ?? 0),
      parts: sumsOf(parts, [2, 3], 4),
    })
  }
  const rows = found === undefined ? undefined : rowsOf.get(found.generation)
  if (found === undefined || rows === undefined) return undefined
  return { sums: sizedSums(session, found), ...rows }
}

/** The number of rows, sums of some of their columns, the newest change, and the check sum; nothing where there are none. */
function sumsOf(
  rows: SqlAnswer['rows'],
  columns: readonly number[],
  changeAt: number,
): readonly number[] {
  if (rows.length === 0) return none
  const sumOf = (column: number) => rows.reduce((sum, row) => sum + Number(row[column]), 0)
  // As SQLite's `max` and `sum`: what is no number counts for nothing.
  const times = rows.flatMap((row) => (row[changeAt] === null ? [] : [Number(row[changeAt])]))
  const newest = times.length === 0 ? 0 : times.reduce((a, b) => Math.max(a, b))
  return [rows.length, ...columns.map(sumOf), newest, sumOf(changeAt + 1)]
}

/** Returns the first line of a session: its row. */
export function headLine({ sessions }: Generation, head: string): string {
  return `{"record":"${sessions}","row":${head}}\n`
}

/** Returns the last line of a session that was reverted. */
export function leafLine(leaf: string): string {
  return `{"record":"leaf","leaf":${leaf}}\n`
}

/** The pieces between the values of a message's line, and between its parts. */
export const pieces = {
  begin: ({ messages }: Generation) => `{"record":"${messages}","previous":`,
  row: ',"row":',
  data: ',"data":',
  parts: ',"parts":[',
  end: ']}\n',
  partRow: '{"row":',
  partEnd: '}',
} as const

/** Bytes of a message's line besides its values. */
export function messageFrameBytes(generation: Generation): number {
  const { begin, row, data, parts, end } = pieces
  return begin(generation).length + row.length + data.length + parts.length + end.length
}

/** Bytes of a part besides its values, with the comma, space or line feed beside it. */
export const partFrameBytes = pieces.partRow.length + pieces.data.length + pieces.partEnd.length + 1

interface Sums {
  readonly generation: Generation
  head: string | undefined
  leaf: string | undefined
  messages: readonly number[]
  /** Bytes of the last message's id. */
  last: number
  parts: readonly number[]
}

const none: readonly never[] = []
const noSums = { head: undefined, leaf: undefined, messages: none, last: 0, parts: none }

/** The newer generation is `newer`; an older one counts where only it has messages. */
function richer(newer: Sums | undefined, older: Sums): Sums {
  if (newer === undefined) return older
  const rows = ({ messages, parts }: Sums) => (messages[0] ?? 0) + (parts[0] ?? 0)
  if (rows(newer) > 0 || rows(older) === 0) return newer
  return { ...older, head: older.head ?? newer.head }
}

function sizedSums(id: string, sums: Sums): SessionSums {
  const { generation, head, leaf, messages, last, parts } = sums
  const [count = 0, objects = 0, data = 0, ids = 0, changed = 0] = messages
  const [partCount = 0, partObjects = 0, partData = 0, partChanged = 0] = parts
  // Each message names the one before it, and the first none.
  const previous = count === 0 ? 0 : ids - last + 'null'.length
  const sizeBytes =
    (head === undefined ? 0 : Buffer.byteLength(headLine(generation, head))) +
    count * messageFrameBytes(generation) +
    (previous + objects + data) +
    partCount * partFrameBytes +
    (partObjects + partData) +
    (leaf === undefined ? 0 : Buffer.byteLength(leafLine(leaf)))
  const stamp = createHash('sha256')
    .update(JSON.stringify([generation.messages, head, leaf, messages, last, parts]))
    .digest('hex')
    .slice(0, 16)
  const mtimeMs = Math.max(timeIn(head), changed, partChanged)
  return { id, generation, head, leaf, messageCount: count, sizeBytes, mtimeMs, stamp }
}

function timeIn(head: string | undefined): number {
  if (head === undefined) return 0
  const { time_updated: updated } = JSON.parse(head) as { time_updated?: unknown }
  return typeof updated === 'number' ? updated : 0
}

function text(value: SqlValue | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}
