import { hasColumns, type SchemaQuery, type TableSchema } from '../common/rows/table-schema'
import { columnOf, hasResponses, rowObject } from './tables'

/** An answer without a conversation is one by itself. */
const owner = 'coalesce(r.conversation_id, r.id)'
const wanted = 'select value from json_each(?1)'

const columns = [
  ...['id', 'model', 'resolved_model', 'prompt', 'system', 'reasoning', 'response'],
  ...['options_json', 'duration_ms', 'datetime_utc', 'input_tokens', 'output_tokens'],
  ...['token_details', 'schema_id'],
]

/** Makes the query for all conversations of answers: columns id, and what is another once it is. */
export function responseOverview(schema: TableSchema): readonly SchemaQuery[] {
  if (!hasResponses(schema)) return []
  return [
    {
      sql: `select ${owner}, count(*), max(r.rowid), sum(octet_length(r.prompt) + octet_length(r.response)),
          ${nameOf(schema, owner)}
        from responses r group by 1 order by min(r.rowid)`,
    },
  ]
}

/** Makes the query for the heads of such conversations: columns id, head as JSON. */
export function responseHeads(schema: TableSchema, ids: readonly string[]): readonly SchemaQuery[] {
  if (!hasResponses(schema)) return []
  return [
    {
      sql: `select w.value, json_object('id', w.value, 'name', ${nameOf(schema, 'w.value')})
        from json_each(?1) w where exists
          (select 1 from responses r where r.conversation_id = w.value or (r.conversation_id is null and r.id = w.value))`,
      values: [JSON.stringify(ids)],
    },
  ]
}

/** Makes the query for answers of some conversations: columns conversation, id, time, length in ms, bytes of the value. */
export function responseRows(schema: TableSchema, ids: readonly string[]): readonly SchemaQuery[] {
  if (!hasResponses(schema)) return []
  return [
    {
      sql: `select ${owner}, r.id, ${columnOf(schema, 'responses', 'r', 'datetime_utc')},
          ${columnOf(schema, 'responses', 'r', 'duration_ms')}, octet_length(${responseJson(schema)})
        from responses r where ${isWanted} order by r.rowid`,
      values: [JSON.stringify(ids)],
    },
  ]
}

/** Makes the query for answers by their ids, in ?3, of the conversation ?1: columns id, value. */
export function responseValues(schema: TableSchema): string {
  if (!hasResponses(schema)) return 'select null as id, null as value where false'
  return `select r.id as id, ${responseJson(schema)} as value from responses r
    where ${owner} = ?1 and r.id in (select value from json_each(?3))`
}

const isWanted = `(r.conversation_id in (${wanted}) or (r.conversation_id is null and r.id in (${wanted})))`

function nameOf(schema: TableSchema, id: string): string {
  return hasColumns(schema, 'conversations', 'id', 'name')
    ? `(select c.name from conversations c where c.id = ${id})`
    : 'null'
}

/** All of an answer as an object: what was asked with it, and the tools that it called. */
function responseJson(schema: TableSchema): string {
  const lists: string[] = []
  const list = (name: string, from: string, value: string, order: string) =>
    lists.push(
      `'${name}', json((select json_group_array(json(${value}) order by ${order}) from ${from}))`,
    )
  if (hasColumns(schema, 'tool_calls', 'id', 'response_id', 'name')) {
    const call = rowObject(schema, 'tool_calls', 't', ['name', 'arguments', 'tool_call_id'])
    list('calls', 'tool_calls t where t.response_id = r.id', call, 't.id')
  }
  if (hasColumns(schema, 'tool_results', 'id', 'response_id', 'name')) {
    const names = ['name', 'output', 'tool_call_id', 'exception']
    const result = rowObject(schema, 'tool_results', 't', names)
    list('results', 'tool_results t where t.response_id = r.id', result, 't.id')
  }
  if (
    hasColumns(schema, 'attachments', 'id') &&
    hasColumns(schema, 'prompt_attachments', 'response_id', 'attachment_id')
  ) {
    const file = rowObject(schema, 'attachments', 'a', ['id', 'type', 'path', 'url'])
    const from = 'prompt_attachments t join attachments a on a.id = t.attachment_id'
    list('attachments', `${from} where t.response_id = r.id`, file, 't.rowid')
  }
  for (const kind of ['prompt_fragments', 'system_fragments'] as const)
    if (
      hasColumns(schema, 'fragments', 'id', 'content') &&
      hasColumns(schema, kind, 'response_id', 'fragment_id')
    ) {
      const fragment = rowObject(schema, 'fragments', 'f', ['hash', 'source', 'content'])
      const from = `${kind} t join fragments f on f.id = t.fragment_id`
      list(kind, `${from} where t.response_id = r.id`, fragment, 't.rowid')
    }
  return rowObject(schema, 'responses', 'r', columns, lists)
}
