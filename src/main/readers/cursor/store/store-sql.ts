import { hasColumns, type SchemaQuery, type TableSchema } from '../../common/rows/table-schema'

/** The tables of a `store.db`, as `schemaReader` wants them. */
export const storeTables = {
  keyColumns: { meta: 'key', blobs: 'id' },
  isReadPastDamage: false,
} as const

const nothing: SchemaQuery = { sql: 'select null where false' }

/** Makes the query for the store's own record, hexadecimal text of JSON: one column. */
export function metaQuery(schema: TableSchema): SchemaQuery {
  return hasColumns(schema, 'meta', 'key', 'value')
    ? { sql: "select cast(value as text) from meta where key = '0'" }
    : nothing
}

/** Makes the query for all blobs: columns rowid, id, bytes, 1 where it may be a root. */
export function blobsQuery(schema: TableSchema): SchemaQuery {
  return hasBlobs(schema)
    ? {
        // A root begins with the field of its first message. Its blob is read where that can be: substr reads all of it.
        sql: `select rowid, id, octet_length(data),
            iif(octet_length(data) between 34 and ${largestRoot}, substr(cast(data as blob), 1, 2) = x'0a20', 0)
          from blobs order by rowid`,
      }
    : nothing
}

/** Makes the query for blobs by their ids: columns id, data. */
export function blobQuery(schema: TableSchema, ids: readonly string[]): SchemaQuery {
  return hasBlobs(schema)
    ? {
        sql: `select id, cast(data as blob) from blobs
          where id in (select value from json_each(?1))`,
        values: [JSON.stringify(ids)],
      }
    : nothing
}

/** Bytes of a root with some 30,000 messages. */
const largestRoot = 1024 * 1024

function hasBlobs(schema: TableSchema): boolean {
  return hasColumns(schema, 'blobs', 'id', 'data')
}
