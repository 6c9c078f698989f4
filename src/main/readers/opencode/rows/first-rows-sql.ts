import type { SchemaQuery, TableSchema } from '../../common/rows/table-schema'
import { type Generation, isPartTable, messageOrder, noRows, type TableName } from './generations'
import { dataBytes, idJson, messageJson, objectItself, rowJson } from './row-columns'

/** A session's first messages: how many, and how many bytes they have at most with their parts. */
export interface FirstWanted {
  readonly session: string
  readonly most: number
  readonly mostBytes: number
}

/** Makes the query for the bytes that the first messages of a session have with their parts: one row of one column. */
export function firstBytes(
  schema: TableSchema,
  generation: Generation,
  { session, most }: FirstWanted,
): SchemaQuery {
  return { sql: `select ${bytesOfFirst(schema, generation)}`, values: [session, most] }
}

/** Makes the query for the first messages of a session, none where they are too long. Columns: rowid, id as JSON, object, data. */
export function firstMessages(
  schema: TableSchema,
  generation: Generation,
  { session, most, mostBytes }: FirstWanted,
): SchemaQuery {
  const { messages } = generation
  return {
    sql: `select rowid, ${idJson}, ${objectItself(schema, messages)} from ${messages}
      where session_id = ?1 and ${bytesOfFirst(schema, generation)} <= ?3
      order by ${messageOrder(schema, generation)} limit ?2`,
    values: [session, most, mostBytes],
  }
}

/** Makes the query for the parts of those messages, by their ids; none where they are too long. Columns: rowid, the message's id as JSON, object, data. */
export function firstParts(
  schema: TableSchema,
  generation: Generation,
  { session, most, mostBytes }: FirstWanted,
): SchemaQuery {
  const { parts } = generation
  if (!isPartTable(schema, parts)) return noRows
  return {
    sql: `select rowid, ${messageJson}, ${objectItself(schema, parts)} from ${parts}
      where ${ofFirst(schema, generation)} and ${bytesOfFirst(schema, generation)} <= ?3 order by id`,
    values: [session, most, mostBytes],
  }
}

/** Writes the condition of parts of the first messages. */
function ofFirst(schema: TableSchema, generation: Generation): string {
  return `session_id = ?1 and message_id in (select id from ${generation.messages}
    where session_id = ?1 order by ${messageOrder(schema, generation)} limit ?2)`
}

/** Writes the bytes of the first messages with their parts; long values are not read for it. */
function bytesOfFirst(schema: TableSchema, generation: Generation): string {
  const { messages, parts } = generation
  const bytesIn = (table: TableName) => `octet_length(${rowJson(schema, table)}) + ${dataBytes}`
  const own = `coalesce((select sum(bytes) from (select ${bytesIn(messages)} as bytes from ${messages}
    where session_id = ?1 order by ${messageOrder(schema, generation)} limit ?2)), 0)`
  if (!isPartTable(schema, parts)) return `(select ${own})`
  const ofParts = `coalesce((select sum(${bytesIn(parts)}) from ${parts}
    where ${ofFirst(schema, generation)}), 0)`
  return `(select ${own} + ${ofParts})`
}
