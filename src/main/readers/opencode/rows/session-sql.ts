import type { SumQuery } from '../../../sqlite/database'
import { hasColumns, type SchemaQuery, type TableSchema } from '../../common/rows/table-schema'
import {
  type Generation,
  isPartTable,
  messageOrder,
  noRows,
  orderColumns,
  type TableName,
} from './generations'
import {
  dataBytes,
  idJson,
  jsonColumns,
  messageJson,
  objectBytes,
  objectItself,
  rowJson,
} from './row-columns'

/** Queries about sessions of one generation; each gives a row a session, the session's id first. */
export interface SessionQueries {
  /** Columns: id, the row as JSON, the id of the message where a reverted session is now, as JSON or null. */
  readonly heads: SchemaQuery
  /** Columns: id, messages, bytes of their objects, of their data, of their ids, newest change, check sum. */
  readonly messages: SchemaQuery
  /** Columns: id, bytes of the last message's id. */
  readonly lasts: SchemaQuery
  /** Columns: id, parts, bytes of their objects, of their data, newest change, check sum. */
  readonly parts: SchemaQuery
}

/** Makes the queries for the size and state of some sessions, by index where there is one. */
export function sessionQueries(
  schema: TableSchema,
  generation: Generation,
  ids: readonly string[],
): SessionQueries {
  const { messages, parts } = generation
  const values = [JSON.stringify(ids)]
  const among = 'in (select value from json_each(?1))'
  const order = messageOrder(schema, generation, ' desc')
  const lastsByIndex = `with last as materialized (
      select j.value as session, (select octet_length(${idJson}) from ${messages}
        where session_id = j.value order by ${order} limit 1) as bytes from json_each(?1) j)
    select session, bytes from last where bytes is not null`
  // One pass, since there is no index.
  const lastsAtOnce = `select session_id, octet_length(${idJson}) from (
      select session_id, id, row_number() over (partition by session_id order by ${order}) as place
      from ${messages} where session_id ${among}) where place = 1`
  return {
    heads: headRows(schema, generation, among, JSON.stringify(ids)),
    messages: {
      sql: `select session_id, count(*), sum(octet_length(${rowJson(schema, messages)})),
        sum(${dataBytes}), sum(octet_length(${idJson})), ${changes(schema, messages)}
        from ${messages} where session_id ${among} group by session_id`,
      values,
    },
    lasts: { sql: schema.indexes.has(messages) ? lastsByIndex : lastsAtOnce, values },
    parts: isPartTable(schema, parts)
      ? {
          sql: `select session_id, count(*), sum(octet_length(${rowJson(schema, parts)})),
            sum(${dataBytes}), ${changes(schema, parts)}
            from ${parts} where session_id ${among} group by session_id`,
          values,
        }
      : noRows,
  }
}

/**
 * Makes the queries for the number of messages, and of parts, that the indexes have of some sessions, a row a session: its id
 * and the number. Undefined for a table without an index.
 */
export function indexedCounts(
  schema: TableSchema,
  { messages, parts }: Generation,
  ids: readonly string[],
): readonly (SchemaQuery | undefined)[] {
  return [messages, isPartTable(schema, parts) ? parts : undefined].map((table) =>
    table === undefined || !schema.indexes.has(table)
      ? undefined
      : {
          sql: `select session_id, count(*) from ${table}
            where session_id in (select value from json_each(?1)) group by session_id`,
          values: [JSON.stringify(ids)],
        },
  )
}

/** The greatest rowid of a generation's messages and parts. */
export interface SeenRows {
  readonly messages: number
  readonly parts: number
}

/**
 * Makes the queries for what there is: sessions with their newest change; the greatest rowid of messages, and of parts;
 * ids of the sessions of messages, and of parts.
 *
 * @param seen only rows behind these count for the last two
 * @param wanted `ends` leaves those two out
 */
export function overviewQueries(
  schema: TableSchema,
  { sessions, messages, parts }: Generation,
  seen: SeenRows | undefined,
  wanted: 'all' | 'ends' = 'all',
): readonly SchemaQuery[] {
  const changed = hasColumns(schema, sessions, 'time_updated') ? 'time_updated' : '0'
  const idsIn = (table: TableName, rowid: number | undefined): SchemaQuery => {
    const sql = `select distinct session_id from ${table}`
    return rowid === undefined ? { sql } : { sql: `${sql} where rowid > ?1`, values: [rowid] }
  }
  const partTable = isPartTable(schema, parts) ? parts : undefined
  return [
    hasColumns(schema, sessions, 'id') ? { sql: `select id, ${changed} from ${sessions}` } : noRows,
    { sql: `select max(rowid) from ${messages}` },
    partTable === undefined ? noRows : { sql: `select max(rowid) from ${partTable}` },
    ...(wanted === 'ends'
      ? []
      : [
          idsIn(messages, seen?.messages),
          partTable === undefined ? noRows : idsIn(partTable, seen?.parts),
        ]),
  ]
}

/** Makes the query for the row of a session. Columns: id, the row as JSON, the id of the message where it is now, as JSON or null. */
export function headRow(schema: TableSchema, generation: Generation, session: string): SchemaQuery {
  return headRows(schema, generation, '= ?1', session)
}

/**
 * Makes the query for messages of a session in order, without their data.
 *
 * Columns: rowid, id as JSON, bytes of the object, of the data, and of the id; the newest change, and what it adds to the check sum.
 */
export function messageRows(
  schema: TableSchema,
  generation: Generation,
  session: string,
): SchemaQuery {
  const { messages } = generation
  return {
    sql: `select rowid, ${idJson}, ${objectBytes(schema, messages)}, octet_length(${idJson}), ${change(schema, messages).join()}
      from ${messages} where session_id = ?1 order by ${messageOrder(schema, generation)}`,
    values: [session],
  }
}

/**
 * Makes the query for parts of a session by their ids, without their data.
 *
 * Columns: rowid, the message's id as JSON, bytes of the object and of the data, the newest change, and what it adds to the
 * check sum.
 */
export function partRows(schema: TableSchema, { parts }: Generation, session: string): SchemaQuery {
  if (!isPartTable(schema, parts)) return noRows
  return {
    sql: `select rowid, ${messageJson}, ${objectBytes(schema, parts)}, ${change(schema, parts).join()}
      from ${parts} where session_id = ?1 order by id`,
    values: [session],
  }
}

/**
 * Makes the query for rows by rowid. Columns: rowid, object, data.
 *
 * @param columns without their data, where that cannot be read
 */
export function rowsById(
  schema: TableSchema,
  table: TableName,
  rowids: readonly number[],
  columns: 'all' | 'object' = 'all',
): SchemaQuery {
  const values =
    columns === 'all'
      ? objectItself(schema, table)
      : `cast(${rowJson(schema, table)} as blob), null`
  return {
    sql: `select rowid, ${values} from ${table}
      where rowid in (select value from json_each(?1))`,
    values: [JSON.stringify(rowids)],
  }
}

/** Makes the question for sums of the rows of messages, or of parts, behind a rowid; undefined where there is no such table. */
export function sumQueryOf(
  schema: TableSchema,
  table: TableName | undefined,
  after: number | undefined,
): SumQuery | undefined {
  if (table === undefined || (table === 'part' && !isPartTable(schema, table))) return undefined
  const json = jsonColumns(schema, table)
  const time = timeColumn(schema, table)
  return { sums: { table, key: 'session_id', json, data: 'data', id: 'id', time, after } }
}

function headRows(
  schema: TableSchema,
  generation: Generation,
  among: string,
  value: string,
): SchemaQuery {
  const { sessions } = generation
  if (!hasColumns(schema, sessions, 'id')) return noRows
  const head = `json_patch(${rowJson(schema, sessions)}, ${worktree(schema, generation)})`
  const sql = `select id, ${head}, ${leafOf(schema, generation)} from ${sessions} s where id ${among}`
  return { sql, values: [value] }
}

/** The folder of the session's project. */
function worktree(schema: TableSchema, { sessions }: Generation): string {
  const isKnown =
    hasColumns(schema, sessions, 'project_id') &&
    schema.columns.get('project')?.includes('worktree') === true
  return isKnown
    ? `json_object('worktree', (select worktree from project where project.id = s.project_id))`
    : `'{}'`
}

/** A revert takes back a message and all that follow, or only some parts of it and all that follow. */
function leafOf(schema: TableSchema, generation: Generation): string {
  const { sessions, messages } = generation
  if (!hasColumns(schema, sessions, 'revert')) return 'null'
  const order = orderColumns(schema, generation).join(', ')
  const field = (name: string) => `iif(json_valid(s.revert), s.revert ->> '$.${name}', null)`
  const reverted = `select ${order} from ${messages} where session_id = s.id and id = ${field('messageID')}`
  const before = `select ${idJson} from ${messages} where session_id = s.id
    and (${order}) < (${reverted}) order by ${messageOrder(schema, generation, ' desc')} limit 1`
  const itself = `select ${idJson} from ${messages} where session_id = s.id and id = ${field('messageID')}`
  return `case when s.revert is null then null
    when ${field('partID')} is null then (${before}) else (${itself}) end`
}

/** The newest change, and a sum that another change moves. */
function changes(schema: TableSchema, table: TableName): string {
  const [time, part] = change(schema, table)
  return `max(${time}), sum(${part})`
}

/** The newest change of a row, and its part of that sum. */
function change(schema: TableSchema, table: TableName): readonly [string, string] {
  const column = timeColumn(schema, table)
  const time = column === undefined ? '0' : `cast(${column} as integer)`
  return [time, `${time} % 1000003`]
}

function timeColumn(schema: TableSchema, table: TableName): string | undefined {
  return ['time_updated', 'time_created'].find((name) => hasColumns(schema, table, name))
}
