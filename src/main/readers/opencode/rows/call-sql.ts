import { hasColumns, type SchemaQuery, type TableSchema } from '../../common/rows/table-schema'

/** Makes the queries for the id of the tool call that began a session: the first of its parent that names it. */
export function callQueries(schema: TableSchema, child: string): readonly SchemaQuery[] {
  const queries: SchemaQuery[] = []
  const parentIn = (table: 'session' | 'session_v2') =>
    `(select parent_id from ${table} where id = ?1)`
  if (
    hasColumns(schema, 'session_v2', 'id', 'parent_id') &&
    hasColumns(schema, 'session_message', 'id', 'session_id', 'data')
  )
    queries.push({
      sql: `select part.value ->> '$.id' from session_message m, json_each(m.data, '$.content') part
        where m.session_id = ${parentIn('session_v2')} and instr(m.data, ?1) > 0
          and json_valid(m.data) and part.type = 'object' and instr(part.value, ?1) > 0
          and part.value ->> '$.type' = 'tool'
        order by m.id limit 1`,
      values: [child],
    })
  if (
    hasColumns(schema, 'session', 'id', 'parent_id') &&
    hasColumns(schema, 'part', 'id', 'session_id', 'data')
  )
    queries.push({
      sql: `select iif(json_valid(data), data ->> '$.callID', null) from part
        where session_id = ${parentIn('session')} and instr(data, ?1) > 0
          and iif(json_valid(data), data ->> '$.type', null) = 'tool'
        order by id limit 1`,
      values: [child],
    })
  return queries
}
