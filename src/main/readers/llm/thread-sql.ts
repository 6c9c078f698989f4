import { hasColumns, type SchemaQuery, type TableSchema } from '../common/rows/table-schema'
import { columnOf, hasThreads, rowObject } from './tables'

/** Makes the queries for all threads: columns id, and what is another once it is. Messages never change. */
export function threadOverview(schema: TableSchema): readonly SchemaQuery[] {
  if (!hasThreads(schema)) return []
  const name = columnOf(schema, 'threads', 't', 'name')
  return [
    { sql: `select t.id, t.tip_message_hash, ${name} from threads t order by t.rowid` },
    { sql: 'select u.thread_id, count(*), max(u.rowid) from turns u group by 1' },
  ]
}

/** Makes the query for the heads of threads: columns id, head as JSON. */
export function threadHeads(schema: TableSchema, ids: readonly string[]): readonly SchemaQuery[] {
  if (!hasThreads(schema)) return []
  const names = ['id', 'name', 'tip_message_hash', 'forked_from', 'datetime_utc']
  return [
    {
      sql: `select t.id, ${rowObject(schema, 'threads', 't', names)} from threads t
        where t.id in (select value from json_each(?1))`,
      values: [JSON.stringify(ids)],
    },
  ]
}

/** All messages of some threads: those before the thread's last one, and before each one that a call began or ended with. */
const reached = `reached(thread, hash) as (
  select t.id, t.tip_message_hash from threads t where t.id in (select value from json_each(?1))
  union select u.thread_id, u.tip_message_hash from turns u where u.thread_id in (select value from json_each(?1))
  union select u.thread_id, u.parent_message_hash from turns u where u.thread_id in (select value from json_each(?1))
  union select r.thread, m.parent_hash from reached r join messages m on m.hash = r.hash)`

/** The call that a message ended: of this thread, else of another one that shares it. */
const turnBy = (column: string) =>
  `(select u.rowid from turns u where u.${column} = m.hash order by u.thread_id = r.thread desc, u.rowid limit 1)`

/** Makes the query for messages of some threads: columns thread, hash, hash of the one before, time, length in ms, time asked, bytes. */
export function threadMessageRows(
  schema: TableSchema,
  ids: readonly string[],
): readonly SchemaQuery[] {
  if (!hasThreads(schema)) return []
  const time = columnOf(schema, 'turns', 'u', 'datetime_utc')
  const duration = columnOf(schema, 'turns', 'u', 'duration_ms')
  return [
    {
      sql: `with recursive ${reached}, ${threadPartsSql(schema)}
        select r.thread, m.hash, m.parent_hash, ${time}, ${duration}, ${time.replace('u.', 'a.')},
          octet_length(${messageJson(schema)})
        from reached r join messages m on m.hash = r.hash left join told p on p.hash = m.hash
          left join turns u on u.rowid = ${turnBy('tip_message_hash')}
          left join turns a on a.rowid = ${turnBy('parent_message_hash')}
        order by m.rowid`,
      values: [JSON.stringify(ids)],
    },
  ]
}

/** Makes the query for messages by their hashes, in ?2, of the thread ?1, beside `threadPartsSql`: columns id, value. */
export function messageValues(schema: TableSchema): string {
  return `select m.hash as id, ${messageJson(schema)} as value
    from (select ?1 as thread, value as hash from json_each(?2)) r join messages m on m.hash = r.hash
      left join told p on p.hash = m.hash
      left join turns u on u.rowid = ${turnBy('tip_message_hash')}
      left join turns a on a.rowid = ${turnBy('parent_message_hash')}`
}

/** Returns the table `told` of the parts of messages, as part of a query. @param hashes of the messages */
export function threadPartsSql(schema: TableSchema, hashes = 'select hash from reached'): string {
  const lists: string[] = []
  if (
    hasColumns(schema, 'attachments', 'id') &&
    hasColumns(schema, 'part_attachments', 'part_id', 'attachment_id')
  ) {
    const file = rowObject(schema, 'attachments', 'f', ['id', 'type', 'path', 'url'])
    lists.push(`'attachments', json((select json_group_array(json(${file})) from part_attachments b
      join attachments f on f.id = b.attachment_id where b.part_id = x.id))`)
  }
  if (hasColumns(schema, 'fragments', 'id', 'content')) {
    const fragment = rowObject(schema, 'fragments', 'f', ['id', 'hash', 'source', 'content'])
    lists.push(`'fragments', json((select json_group_array(json(${fragment}))
      from json_each(iif(json_valid(x.payload), x.payload, '{}'), '$.text_ref') b
      join fragments f on f.id = iif(b.type = 'object', b.value ->> '$.fragment', null)))`)
  }
  const part = rowObject(schema, 'parts', 'x', ['type', 'tool_name', 'text', 'payload'], lists)
  return `told(hash, parts) as materialized (
    select x.message_hash, json_group_array(json(${part}) order by x.position)
    from parts x where x.message_hash in (${hashes}) group by x.message_hash)`
}

const turnColumns = [
  ...['id', 'model', 'resolved_model', 'options_json', 'schema_id', 'input_tokens'],
  ...['output_tokens', 'token_details', 'duration_ms', 'datetime_utc'],
]

function messageJson(schema: TableSchema): string {
  const turn = `iif(u.rowid is null, null, json(${rowObject(schema, 'turns', 'u', turnColumns)}))`
  const asked = columnOf(schema, 'turns', 'a', 'datetime_utc')
  const more = [`'parts', json(coalesce(p.parts, '[]'))`, `'turn', ${turn}`, `'asked', ${asked}`]
  return rowObject(schema, 'messages', 'm', ['role', 'provider_metadata'], more)
}
