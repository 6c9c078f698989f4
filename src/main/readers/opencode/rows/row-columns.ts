import type { TableSchema } from '../../common/rows/table-schema'
import type { TableName } from './generations'

/** Writes the columns of a row: its object, and its data, as bytes. */
export function objectItself(schema: TableSchema, table: TableName): string {
  return `cast(${rowJson(schema, table)} as blob), cast(data as blob)`
}

/** Writes the columns of a row: the bytes of its object, and of its data. Long values are not read for it. */
export function objectBytes(schema: TableSchema, table: TableName): string {
  return `octet_length(${rowJson(schema, table)}), ${dataBytes}`
}

/** Columns that a line has elsewhere. */
const apart: ReadonlySet<string> = new Set(['data', 'session_id'])

/** Writes a row as a JSON object, with whatever columns this release has. */
export function rowJson(schema: TableSchema, table: TableName): string {
  const members = jsonColumns(schema, table).map(
    (name) => `'${name.replaceAll("'", "''")}', ${jsonValue(name)}`,
  )
  return `json_object(${members.join(', ')})`
}

/** Returns the columns that are in that object. */
export function jsonColumns(schema: TableSchema, table: TableName): readonly string[] {
  return (schema.columns.get(table) ?? []).filter((column) => !apart.has(column))
}

/** The value of a column as JSON can hold it. */
function jsonValue(column: string): string {
  const name = `"${column.replaceAll('"', '""')}"`
  return `iif(typeof(${name}) = 'blob', hex(${name}), ${name})`
}

/** Id of a part's message, as JSON. */
export const messageJson = `json_quote(${jsonValue('message_id')})`
/** Id of a row, as JSON. */
export const idJson = `json_quote(iif(typeof(id) = 'blob', hex(id), id))`
/** Bytes of a row's data; a missing value is written as null. */
export const dataBytes = 'coalesce(octet_length(data), 4)'
