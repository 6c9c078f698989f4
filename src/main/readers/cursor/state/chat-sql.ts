import { hasColumns, type SchemaQuery, type TableSchema } from '../../common/rows/table-schema'

/** The tables of a `state.vscdb` that hold chats, as `schemaReader` wants them. */
export const stateTables = {
  keyColumns: { cursorDiskKV: 'key', ItemTable: 'key', composerHeaders: 'composerId' },
  // Without its index each chat would be looked for in all rows: see `ChatReader`.
  isReadPastDamage: false,
} as const

/** Returns true where a database has the table of chats. */
export function hasChats(schema: TableSchema): boolean {
  return hasColumns(schema, 'cursorDiskKV', 'key', 'value')
}

/** Members of a chat's own record that its line shows. Others are the window's state, copies of files, and keys. */
export const chatMembers = [
  '_v',
  'name',
  'subtitle',
  'createdAt',
  'lastUpdatedAt',
  'unifiedMode',
  'forceMode',
  'status',
  'isArchived',
  'isDraft',
  'modelConfig',
  'workspaceIdentifier',
  'gitWorktree',
  'subComposerIds',
  'subagentComposerIds',
  'subagentInfo',
  'latestConversationSummary',
  'contextTokensUsed',
  'todos',
] as const

/** The most of a message's text that is read for a list: a person's first words are near its beginning. */
export const mostTextUnits = 16 * 1024

/** Members of a message that tell of its chat, and its texts, cut. */
const bubbleMembers = ['workspaceProjectDir', 'workspaceUris', 'createdAt'] as const
const bubbleTexts = ['text', 'rawText'] as const

/**
 * Makes the queries for what there is: ids of chats that have a record, with its rowid; the greatest rowid; and ids of chats
 * that have messages.
 *
 * @param seen only messages in rows behind it count
 */
export function chatOverviewQueries(
  schema: TableSchema,
  seen: number | undefined,
): readonly SchemaQuery[] {
  if (!hasChats(schema)) return [nothing, nothing, nothing]
  return [
    {
      sql: `select substr(key, 14), rowid from cursorDiskKV
        where key >= 'composerData:' and key < 'composerData;'`,
    },
    { sql: 'select max(rowid) from cursorDiskKV' },
    seen === undefined
      ? {
          sql: `select distinct ${chatOfKey} from cursorDiskKV
            where key >= 'bubbleId:' and key < 'bubbleId;'`,
        }
      : {
          // The plus keeps SQLite from walking the index of all keys.
          sql: `select distinct ${chatOfKey} from cursorDiskKV
            where rowid > ?1 and +key >= 'bubbleId:' and +key < 'bubbleId;'`,
          values: [seen],
        },
  ]
}

/** Makes the query for all rows of chats, found without an index: rowid, then the id of the chat whose record it is, else of its chat. */
export function walkQuery(schema: TableSchema): SchemaQuery {
  if (!hasChats(schema)) return nothing
  return {
    sql: `select rowid, iif(key >= 'composerData:' and key < 'composerData;', substr(key, 14), null), ${chatOfKey}
      from main.cursorDiskKV not indexed
      where key >= 'composerData:' and key < 'composerData;' or key >= 'bubbleId:' and key < 'bubbleId;'`,
  }
}

/**
 * Makes the queries for some chats. The first gives a row for each: id, rowid and bytes of its record, its members as a JSON list,
 * its order of messages as a JSON list of `[id, type, time]`, messages inside of the record as a JSON list of `[number, bytes,
 * id, type]`, its row among the headers as JSON. The second gives a row for each message: chat, id, rowid, bytes.
 */
export function chatQueries(
  schema: TableSchema,
  ids: readonly string[],
  rows: FoundRows,
): readonly [SchemaQuery, SchemaQuery] {
  if (!hasChats(schema)) return [nothing, nothing]
  const values = [JSON.stringify(ids), ...listOf(rows)]
  const hasHeaders = hasColumns(schema, 'composerHeaders', 'composerId', 'value')
  const header = hasHeaders
    ? `(select iif(json_valid(h.value), json_extract(h.value, '$.workspaceIdentifier', '$.name', '$.subagentInfo'), null)
        from composerHeaders h where h.composerId = i.value)`
    : 'null'
  return [
    {
      sql: `select i.value, k.rowid, octet_length(k.value),
          iif(${isJson}, json_extract(${text}, ${paths(chatMembers)}), null),
          iif(${isJson}, (select json_group_array(json_array(${member('e', 'bubbleId')},
            ${member('e', 'type')}, ${member('e', 'createdAt')}))
            from json_each(${text}, '$.fullConversationHeadersOnly') e), null),
          iif(${isJson}, (select json_group_array(json_array(e.key, octet_length(${element('e')}),
            ${member('e', 'bubbleId')}, ${member('e', 'type')}))
            from json_each(${text}, '$.conversation') e), null),
          ${header}
        from json_each(?1) i left join ${among(rows, 2)} k on k.key = 'composerData:' || i.value
        order by i.key`,
      values,
    },
    {
      sql: `select i.value, substr(k.key, length(i.value) + 11), k.rowid, octet_length(k.value)
        from json_each(?1) i cross join ${among(rows, 2)} k
          on k.key >= 'bubbleId:' || i.value || ':' and k.key < 'bubbleId:' || i.value || ';'
        order by i.key, k.rowid`,
      values,
    },
  ]
}

/** Makes the query for members of some messages, by their keys: columns key, and the members as a JSON list. */
export function bubbleQuery(
  schema: TableSchema,
  keys: readonly string[],
  rows: FoundRows,
): SchemaQuery {
  if (!hasChats(schema)) return nothing
  return {
    sql: `select k.key, iif(${isJson}, json_array(${[
      ...bubbleMembers.map((name) => `json_extract(${text}, '$.${name}')`),
      ...bubbleTexts.map(beginningOf),
    ].join(', ')}), null)
      from ${among(rows, 2)} k where k.key in (select value from json_each(?1))`,
    values: [JSON.stringify(keys), ...listOf(rows)],
  }
}

/** Makes the query for values by their keys: columns key, value as bytes. */
export function valueQuery(keys: readonly string[], rows: FoundRows): SchemaQuery {
  return {
    sql: `select k.key, cast(k.value as blob) from ${among(rows, 2)} k
      where k.key in (select value from json_each(?1))`,
    values: [JSON.stringify(keys), ...listOf(rows)],
  }
}

/** Makes the query for messages inside of a chat's record: columns number, value as bytes. */
export function inlineQuery(
  chat: string,
  numbers: readonly number[],
  rows: FoundRows,
): SchemaQuery {
  return {
    sql: `select e.key, cast(${element('e')} as blob)
      from ${among(rows, 3)} k, json_each(iif(${isJson}, ${text}, '{}'), '$.conversation') e
      where k.key = 'composerData:' || ?1 and e.key in (select value from json_each(?2))`,
    values: [chat, JSON.stringify(numbers), ...listOf(rows)],
  }
}

/** Makes the query for the id of the tool call in a chat whose message names another chat: one column. */
export function callQuery(
  schema: TableSchema,
  parent: string,
  child: string,
  rows: FoundRows,
): SchemaQuery {
  if (!hasChats(schema)) return nothing
  return {
    sql: `select json_extract(${text}, '$.toolFormerData.toolCallId') from ${among(rows, 3)} k
      where k.key >= 'bubbleId:' || ?1 || ':' and k.key < 'bubbleId:' || ?1 || ';'
        and instr(${text}, ?2) > 0 and ${isJson}
        and json_type(${text}, '$.toolFormerData.toolCallId') = 'text'
      order by k.rowid limit 1`,
    values: [parent, child, ...listOf(rows)],
  }
}

/** A query without an answer. */
export const nothing: SchemaQuery = { sql: 'select null where false' }

/** Rows that a query looks at alone, where the index of keys is damaged. */
type FoundRows = readonly number[] | undefined

/** The table, or rows of it, which a value of the query lists (`listOf`). */
function among(rows: FoundRows, parameter: number): string {
  return rows === undefined
    ? 'cursorDiskKV'
    : `(select rowid as rowid, key, value from main.cursorDiskKV not indexed
        where rowid in (select value from json_each(?${parameter})))`
}

function listOf(rows: FoundRows): readonly string[] {
  return rows === undefined ? [] : [JSON.stringify(rows)]
}

const chatOfKey = "substr(key, 10, instr(substr(key, 10), ':') - 1)"
const text = 'cast(k.value as text)'
const isJson = `json_valid(${text})`

/** The beginning of a text; null for any other member. */
function beginningOf(name: string): string {
  const path = `'$.${name}'`
  return `iif(json_type(${text}, ${path}) = 'text', substr(json_extract(${text}, ${path}), 1, ${mostTextUnits}), null)`
}

function paths(members: readonly string[]): string {
  return members.map((name) => `'$.${name}'`).join(', ')
}

/** A member of an element that is an object; null for any other. */
function member(of: string, name: string): string {
  return `iif(${of}.type = 'object', json_extract(${of}.value, '$.${name}'), null)`
}

/** The JSON of an element. */
function element(of: string): string {
  return `iif(${of}.type in ('object', 'array'), ${of}.value, json_quote(${of}.value))`
}
