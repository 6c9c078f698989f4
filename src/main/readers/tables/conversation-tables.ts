import {
  hasColumns,
  type SchemaQuery,
  type TableSchema,
  type WantedTables,
} from '../common/rows/table-schema'

/** A table, and what is wanted of its rows. */
interface WantedRows {
  readonly table: string
  /** The column that names the conversation of a row. */
  readonly key: string
  /** Columns that a line shows, as far as this release has them: others may hold keys and secrets. */
  readonly columns: readonly string[]
  /** SQL for the time of a row's last change, in Unix milliseconds or null, from columns that every release has. */
  readonly changedMs: string
}

/**
 * The tables of a system that keeps a row for each conversation, and a row for each message. A conversation is a file of lines: its
 * own row first, then its messages.
 */
export interface ConversationTables {
  /** See `RecordFormat.id`. */
  readonly id: string
  readonly heads: WantedRows
  readonly messages: WantedRows & {
    /** Columns of which the first that has a value is the message's id. */
    readonly ids: readonly string[]
    /** The column whose JSON stands on the line as the database has it. */
    readonly data: string
    /** Columns that order the messages of a conversation; of equal ones the rowid decides. */
    readonly order: readonly string[]
  }
  /**
   * For systems that count tokens for each conversation: the columns of its row that have the sums, and the SQL that is true for
   * an answer. The line of the last answer has them.
   */
  readonly sums?: {
    readonly columns: readonly string[]
    readonly isAnswer: string
    /** A table with a row for each request of a conversation, and columns of it that are added up. */
    readonly ledger?: {
      readonly table: string
      readonly key: string
      readonly columns: readonly string[]
    }
  }
}

/** Returns the tables as `schemaReader` wants them. */
export function wantedTables({ heads, messages, sums }: ConversationTables): WantedTables {
  const ledger = sums?.ledger === undefined ? {} : { [sums.ledger.table]: '' }
  return {
    keyColumns: { [heads.table]: heads.key, [messages.table]: messages.key, ...ledger },
    isReadPastDamage: true,
  }
}

/** Returns SQL for a time in Unix seconds, or in milliseconds, as Unix milliseconds. */
export function msOfNumber(column: string): string {
  return `iif(abs(${column}) < 100000000000, ${column} * 1000, ${column})`
}

/** Returns SQL for a time that is text, in UTC unless it says otherwise, as Unix milliseconds in whole seconds. */
export function msOfText(column: string): string {
  return `unixepoch(${column}) * 1000`
}

/** A query without an answer, in the place of one for what is not there. */
const noAnswer: SchemaQuery = { sql: 'select null where false' }

/**
 * Makes the queries for what there is: ids of conversations with their last change; ids of the conversations of messages, with the
 * number of messages and the greatest rowid, which an index tells.
 */
export function tableOverviewQueries(
  schema: TableSchema,
  { heads, messages }: ConversationTables,
): readonly SchemaQuery[] {
  return [
    hasColumns(schema, heads.table, heads.key)
      ? { sql: `select ${heads.key}, ${heads.changedMs} from ${heads.table}` }
      : noAnswer,
    hasColumns(schema, messages.table, messages.key, messages.data)
      ? {
          sql: `select ${messages.key}, count(*), max(rowid) from ${messages.table} group by ${messages.key}`,
        }
      : noAnswer,
  ]
}

/** Makes the query for the rows of conversations themselves. Columns: key, the row as JSON, the sums as JSON or null, last change. */
export function headsQuery(
  schema: TableSchema,
  { heads, sums }: ConversationTables,
  ids: readonly string[],
): SchemaQuery {
  const { table, key, columns, changedMs } = heads
  if (!hasColumns(schema, table, key)) return noAnswer
  return {
    sql: `select ${key}, ${rowJson(schema, table, [key, ...columns])}, ${sumsJson(schema, heads, sums)}, ${changedMs}
      from ${table} where ${key} in (select value from json_each(?1))`,
    values: [JSON.stringify(ids)],
  }
}

/** Makes the query for the rowids of a conversation's messages in order, as far as an index tells: one column. */
export function rowidsQuery(
  schema: TableSchema,
  { messages: { table, key, data } }: ConversationTables,
  id: string,
): SchemaQuery {
  if (!hasColumns(schema, table, key, data)) return noAnswer
  return { sql: `select rowid from ${table} where ${key} = ?1 order by rowid`, values: [id] }
}

/**
 * Makes the query for the messages of conversations, or for those of some rowids, in order. Columns: key, rowid, id, the row as JSON, bytes of the data or
 * null, 1 for an answer, last change.
 */
export function messagesQuery(
  schema: TableSchema,
  { messages, sums }: ConversationTables,
  of: { readonly ids: readonly string[] } | { readonly rowids: readonly number[] },
): SchemaQuery {
  const { table, key, columns, data, changedMs } = messages
  const [among, values] = 'ids' in of ? [key, of.ids] : ['rowid', of.rowids]
  if (!hasColumns(schema, table, key, data)) return noAnswer
  const own = messages.ids.filter((name) => hasColumns(schema, table, name))
  const id = own.length === 0 ? 'rowid' : `coalesce(${own.join(', ')}, rowid)`
  const order = messages.order.filter((name) => hasColumns(schema, table, name))
  return {
    sql: `select ${key}, rowid, cast(${id} as text), ${rowJson(schema, table, columns)}, octet_length(${data}),
        ${sums?.isAnswer ?? '0'}, ${changedMs}
      from ${table} where ${among} in (select value from json_each(?1))
      order by ${[key, ...order, 'rowid'].join(', ')}`,
    values: [JSON.stringify(values)],
  }
}

/** Makes the query for the data of messages. Columns: rowid, data as bytes. */
export function dataQuery(
  schema: TableSchema,
  { messages: { table, key, data } }: ConversationTables,
  rowids: readonly string[],
): SchemaQuery {
  if (!hasColumns(schema, table, key, data)) return noAnswer
  return {
    sql: `select rowid, cast(${data} as blob) from ${table}
      where rowid in (select value from json_each(?1))`,
    values: [JSON.stringify(rowids.map(Number))],
  }
}

/** A row as a JSON object of the columns that are there. */
function rowJson(schema: TableSchema, table: string, columns: readonly string[]): string {
  return `json_object(${membersOf(schema, table, columns).join(', ')})`
}

function membersOf(
  schema: TableSchema,
  table: string,
  columns: readonly string[],
): readonly string[] {
  const there = columns.filter((name) => hasColumns(schema, table, name))
  return there.map((name) => `'${name}', iif(typeof(${name}) = 'blob', hex(${name}), ${name})`)
}

function sumsJson(
  schema: TableSchema,
  { table, key }: WantedRows,
  sums: ConversationTables['sums'],
): string {
  if (sums === undefined) return 'null'
  const { ledger, columns } = sums
  const added =
    ledger === undefined || !hasColumns(schema, ledger.table, ledger.key)
      ? []
      : ledger.columns
          .filter((name) => hasColumns(schema, ledger.table, name))
          .map(
            (name) =>
              `'${name}', (select sum(l.${name}) from ${ledger.table} l where l.${ledger.key} = ${table}.${key})`,
          )
  return `json_object(${[...membersOf(schema, table, columns), ...added].join(', ')})`
}
