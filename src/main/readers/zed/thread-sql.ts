import { hasColumns, type SchemaQuery, type TableSchema } from '../common/rows/table-schema'

/** The table of Zed's `threads.db`, as `schemaReader` wants it. */
export const threadTables = { keyColumns: { threads: 'id' }, isReadPastDamage: true } as const

const columns = [
  ...['id', 'parent_id', 'summary', 'created_at', 'updated_at'],
  ...['folder_paths', 'folder_paths_order', 'data_type'],
]

/**
 * Makes the query for threads without their data: columns id, rowid, the row as JSON, bytes of the data, last change in Unix
 * milliseconds.
 *
 * @param id of one; all without it
 */
export function threadsQuery(schema: TableSchema, id?: string): SchemaQuery {
  if (!hasColumns(schema, 'threads', 'id', 'data')) return nothing
  const there = columns.filter((name) => hasColumns(schema, 'threads', name))
  const members = there.map(
    (name) => `'${name}', iif(typeof(${name}) = 'blob', hex(${name}), ${name})`,
  )
  const changed = hasColumns(schema, 'threads', 'updated_at') ? 'unixepoch(updated_at) * 1000' : '0'
  const sql = `select id, rowid, json_object(${members.join(', ')}), octet_length(data), ${changed} from threads`
  return id === undefined ? { sql } : { sql: `${sql} where id = ?1`, values: [id] }
}

/** Makes the query for a thread's data: one column, as bytes. */
export function threadDataQuery(schema: TableSchema, rowid: number): SchemaQuery {
  return hasColumns(schema, 'threads', 'data')
    ? { sql: 'select cast(data as blob) from threads where rowid = ?1', values: [rowid] }
    : nothing
}

const nothing: SchemaQuery = { sql: 'select null where false' }
