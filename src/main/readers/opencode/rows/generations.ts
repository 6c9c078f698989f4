import { hasColumns, type SchemaQuery, type TableSchema } from '../../common/rows/table-schema'

/** Tables that hold sessions. The first three are version 1, the others version 2. */
export type TableName = 'session' | 'message' | 'part' | 'session_v2' | 'session_message'

/** The column that names the session of a row, by table. */
export const keyColumns: Readonly<Record<TableName | 'project', string>> = {
  session: 'id',
  message: 'session_id',
  part: 'session_id',
  session_v2: 'id',
  session_message: 'session_id',
  project: '',
}

/** A version's tables: of sessions, and of their messages. */
export interface Generation {
  readonly sessions: TableName
  readonly messages: TableName
  /** Version 1 keeps a message's parts in rows of their own. */
  readonly parts?: TableName
}

const versionTwo: Generation = { sessions: 'session_v2', messages: 'session_message' }
/** The generation of version 1, and of the files before it. */
export const versionOne: Generation = { sessions: 'session', messages: 'message', parts: 'part' }

/** Returns the generations that a database has, the newest first. */
export function generationsOf(schema: TableSchema): readonly Generation[] {
  return [versionTwo, versionOne].filter(({ messages }) =>
    hasColumns(schema, messages, 'id', 'session_id', 'data'),
  )
}

/** A query without an answer, in the place of one for what is not there. */
export const noRows: SchemaQuery = { sql: 'select null where false' }

/** Returns true for a table with the parts of messages. */
export function isPartTable(schema: TableSchema, parts: TableName | undefined): parts is TableName {
  return parts !== undefined && hasColumns(schema, parts, 'id', 'message_id', 'session_id', 'data')
}

/** Returns the columns that order messages: seq in version 2, else the time; rows of one time in the order of their ids. */
export function orderColumns(schema: TableSchema, { messages }: Generation): readonly string[] {
  const times = hasColumns(schema, messages, 'seq') ? ['seq'] : ['time_created']
  return [...times.filter((name) => hasColumns(schema, messages, name)), 'id']
}

/** Writes that order for `order by`. */
export function messageOrder(schema: TableSchema, generation: Generation, direction = ''): string {
  return orderColumns(schema, generation)
    .map((name) => name + direction)
    .join(', ')
}
