import { hasColumns, type SchemaQuery, type TableSchema } from '../common/rows/table-schema'

/** The tables that hold chats, with the column that names the chat of a row. */
export const chatTables = { chat: 'id', chat_message: 'chat_id', folder: '' } as const

const nothing: SchemaQuery = { sql: 'select null where false' }

/** Columns of a chat that its first line has; others are settings and shares. */
const chatColumns = [
  ...['id', 'title', 'created_at', 'updated_at', 'archived', 'pinned', 'folder_id'],
  ...['current_message_id', 'summary'],
]
/** Members of a chat's document that it has, besides its messages. */
const chatMembers = ['title', 'models', 'system', 'tags', 'timestamp'] as const
/** Columns of a message that are JSON in themselves. */
const jsonColumns = [
  ...[
    'content',
    'output',
    'files',
    'sources',
    'embeds',
    'meta',
    'status_history',
    'error',
    'usage',
  ],
]
const rowColumns = ['role', 'parent_id', 'model_id', 'done', 'context_summary', 'created_at']

/** A chat's document, also one with the numbers that JSON does not have (NaN); an empty one where it is no JSON. */
const text = 'cast(c.chat as text)'
const isJson = `json_valid(${text}, 2)`
const document = `iif(${isJson}, ${text}, '{}')`
/** The messages of a document: those of its history; of the oldest chats the list that they are. */
const messages = `json_each(${document},
  iif(json_type(${document}, '$.history.messages') = 'object', '$.history.messages', '$.messages'))`
const messageId = `iif(typeof(m.key) = 'integer',
  coalesce(iif(m.type = 'object', m.value ->> '$.id', null), 'n' || (m.key + 1)), m.key)`
const nth = `row_number() over (partition by c.id, ${messageId} order by m.id)`
/** What is no list or object is quoted as JSON. */
const element = `iif(m.type in ('object', 'array'), m.value, json_quote(m.value))`
/** Copies that were made for a link are left out, as long as there is the chat itself. */
const isOwn = `not (coalesce(c.user_id, '') like 'shared-%'
  and exists (select 1 from chat o where o.id = substr(c.user_id, 8)))`
const wanted = 'select value from json_each(?1)'
/** A message's row has the id of its chat before its own. */
const ownId = `iif(substr(m.id, 1, length(m.chat_id) + 1) = m.chat_id || '-',
  substr(m.id, length(m.chat_id) + 2), m.id)`

/** Makes the queries for all chats: columns id, and what is another once the chat is. */
export function chatOverview(schema: TableSchema): readonly SchemaQuery[] {
  if (!hasChats(schema)) return []
  const updated = hasColumns(schema, 'chat', 'updated_at') ? 'c.updated_at' : 'null'
  const chats = {
    sql: `select c.id, ${updated}, octet_length(c.chat), octet_length(c.title)
      from chat c where ${ownChats(schema)} order by c.rowid`,
  }
  if (!hasMessages(schema)) return [chats]
  const size = [...jsonColumns, ...rowColumns]
    .filter((name) => hasColumns(schema, 'chat_message', name))
    .map((name) => `coalesce(octet_length(m.${name}), 0)`)
  const changed = hasColumns(schema, 'chat_message', 'updated_at') ? 'm.updated_at' : '0'
  return [
    chats,
    {
      sql: `select m.chat_id, count(*), max(${changed}), sum(${changed} % 1000003), sum(${size.join(' + ')})
        from chat_message m join chat c on c.id = m.chat_id
        where ${ownChats(schema)} group by m.chat_id`,
    },
  ]
}

/**
 * Makes the queries for some chats: their heads (id, head as JSON, bytes of a document that is no JSON, time of the last
 * change); messages in their documents (chat, id, which one of that id, bytes, parent, children as JSON, time, 1 in a list); rows of
 * messages (chat, id, bytes, parent, time, time of the last change).
 */
export function chatRows(schema: TableSchema, ids: readonly string[]): readonly SchemaQuery[] {
  if (!hasChats(schema)) return [nothing, nothing, nothing]
  const values = [JSON.stringify(ids)]
  const updated = hasColumns(schema, 'chat', 'updated_at') ? 'c.updated_at' : 'null'
  return [
    {
      sql: `select c.id, ${headJson(schema)}, iif(${isJson}, null, octet_length(c.chat)), ${updated}
        from chat c where c.id in (${wanted}) order by c.rowid`,
      values,
    },
    {
      sql: `select c.id, ${messageId}, ${nth}, octet_length(${element}), ${member('parentId')},
          iif(m.type = 'object', m.value -> '$.childrenIds', null), ${member('timestamp')},
          typeof(m.key) = 'integer'
        from chat c, ${messages} m where c.id in (${wanted}) order by c.rowid, m.id`,
      values,
    },
    hasMessages(schema)
      ? {
          sql: `select m.chat_id, ${ownId}, octet_length(${rowJson(schema)}), ${column(schema, 'parent_id')},
              ${column(schema, 'created_at')}, ${column(schema, 'updated_at')}
            from chat_message m where m.chat_id in (${wanted}) order by m.rowid`,
          values,
        }
      : nothing,
  ]
}

/** A value of a chat: a message in its document, its row, or both; or the whole document that is no JSON. */
export interface ChatValue {
  readonly id: string
  /** Which one of that id in the document, from 1; 0 for none. */
  readonly nth: number
}

/** Returns the name of a value; of a document that is no JSON, without an argument. */
export function valueName(value?: ChatValue): string {
  return value === undefined ? '' : `${value.nth}:${value.id}`
}

/** Makes the query for values of a chat: columns name, value as bytes (`,"row":` stands before the row). */
export function chatValues(schema: TableSchema, id: string, names: readonly string[]): SchemaQuery {
  const rows = hasMessages(schema)
    ? `select ${ownId} as id, ${rowJson(schema)} as value from chat_message m where m.chat_id = ?1`
    : 'select null as id, null as value where false'
  const wantedValues = names.flatMap((name): readonly (readonly [string, number, string])[] => {
    const colon = name.indexOf(':')
    return colon < 0 ? [] : [[name, Number(name.slice(0, colon)), name.slice(colon + 1)]]
  })
  return {
    sql: `with d as materialized (select ${messageId} as id, ${nth} as nth, ${element} as value
        from chat c, ${messages} m where c.id = ?1),
      r as materialized (${rows})
      select n.value ->> 0, cast(coalesce(d.value, 'null') || coalesce(',"row":' || r.value, '') as blob)
        from json_each(?2) n left join d on d.id = n.value ->> 2 and d.nth = n.value ->> 1
          left join r on r.id = n.value ->> 2 and n.value ->> 1 < 2
        where d.id is not null or r.id is not null
      union all select '', cast(c.chat as blob) from chat c where c.id = ?1 and ?3 = 1`,
    values: [id, JSON.stringify(wantedValues), names.includes(valueName()) ? 1 : 0],
  }
}

/** The bytes of `,"row":`. */
export const rowFrameBytes = 7

function hasChats(schema: TableSchema): boolean {
  return hasColumns(schema, 'chat', 'id', 'title', 'chat')
}

function hasMessages(schema: TableSchema): boolean {
  return hasColumns(schema, 'chat_message', 'id', 'chat_id', 'role', 'content')
}

function ownChats(schema: TableSchema): string {
  return hasColumns(schema, 'chat', 'user_id') ? isOwn : 'true'
}

function column(schema: TableSchema, name: string): string {
  return hasColumns(schema, 'chat_message', name) ? `m.${name}` : 'null'
}

function headJson(schema: TableSchema): string {
  const columns = chatColumns
    .filter((name) => hasColumns(schema, 'chat', name))
    .map((name) => `'${name}', c.${name}`)
  const folder =
    hasColumns(schema, 'chat', 'folder_id') && hasColumns(schema, 'folder', 'id', 'name')
      ? ["'folder', (select f.name from folder f where f.id = c.folder_id)"]
      : []
  const members = chatMembers.map((name) => `'${name}', ${document} -> '$.${name}'`)
  const current = `'currentId', ${document} -> '$.history.currentId'`
  const told = `'chat', json_object(${[...members, current].join(', ')})`
  return `json_object(${[...columns, ...folder, told].join(', ')})`
}

function member(name: string): string {
  return `iif(m.type = 'object', m.value ->> '$.${name}', null)`
}

function rowJson(schema: TableSchema): string {
  const has = (name: string) => hasColumns(schema, 'chat_message', name)
  const plain = rowColumns.filter(has).map((name) => `'${name}', m.${name}`)
  const nested = jsonColumns
    .filter(has)
    .map((name) => `'${name}', iif(json_valid(m.${name}, 2), json(m.${name}), m.${name})`)
  return `json_object(${[...plain, ...nested].join(', ')})`
}
