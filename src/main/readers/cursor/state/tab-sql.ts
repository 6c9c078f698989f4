import { hasColumns, type SchemaQuery, type TableSchema } from '../../common/rows/table-schema'
import { nothing } from './chat-sql'

const tabsKey = 'workbench.panel.aichat.view.aichat.chatdata'
const chatsKey = 'composer.composerData'

/** Members of a tab that its line shows: all that is said of it besides its messages. */
export const tabMembers = ['tabId', 'chatTitle', 'lastSendTime', 'modelType'] as const

/**
 * Makes the queries for what a `state.vscdb` of an older version holds: tabs (number, members as a JSON list, bytes of each
 * message as a JSON list); chats of the workspace as a JSON list of `[id, name]`; 1 where the value of tabs is no JSON.
 */
export function tabQueries(schema: TableSchema): readonly SchemaQuery[] {
  if (!hasColumns(schema, 'ItemTable', 'key', 'value')) return [nothing, nothing, nothing]
  return [
    {
      sql: `select t.key, json_extract(t.value, ${tabMembers.map((name) => `'$.${name}'`).join(', ')}),
          (select json_group_array(octet_length(${element('b')})) from json_each(t.value, '$.bubbles') b)
        from ItemTable k, json_each(${jsonOf}, '$.tabs') t
        where k.key = ?1 and t.type = 'object' order by t.key`,
      values: [tabsKey],
    },
    {
      sql: `select json_group_array(json_array(json_extract(c.value, '$.composerId'), json_extract(c.value, '$.name')))
        from ItemTable k, json_each(${jsonOf}, '$.allComposers') c
        where k.key = ?1 and c.type = 'object'`,
      values: [chatsKey],
    },
    {
      sql: `select 1 from ItemTable k where k.key = ?1 and k.value is not null and not ${isJson}`,
      values: [tabsKey],
    },
  ]
}

/** Makes the query for messages of a tab: columns number, value as bytes. */
export function tabBubbles(tab: number, numbers: readonly number[]): SchemaQuery {
  return {
    sql: `select b.key, cast(${element('b')} as blob)
      from ItemTable k, json_each(${jsonOf}, '$.tabs') t, json_each(t.value, '$.bubbles') b
      where k.key = ?1 and t.key = ?2 and t.type = 'object'
        and b.key in (select value from json_each(?3))`,
    values: [tabsKey, tab, JSON.stringify(numbers)],
  }
}

const text = 'cast(k.value as text)'
const isJson = `json_valid(${text})`
const jsonOf = `iif(${isJson}, ${text}, '{}')`

function element(of: string): string {
  return `iif(${of}.type in ('object', 'array'), ${of}.value, json_quote(${of}.value))`
}
