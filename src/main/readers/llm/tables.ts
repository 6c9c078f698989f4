import { hasColumns, type TableSchema } from '../common/rows/table-schema'

/** The tables that hold conversations of both generations, with the column that names the conversation of a row. */
export const logTables = {
  conversations: 'id',
  responses: 'conversation_id',
  threads: 'id',
  turns: 'thread_id',
  messages: '',
  parts: '',
  tool_calls: '',
  tool_results: '',
  attachments: '',
  prompt_attachments: '',
  part_attachments: '',
  fragments: '',
  prompt_fragments: '',
  system_fragments: '',
} as const

type LogTable = keyof typeof logTables

/** Returns true for a database with conversations of the first generation: a row for each answer. */
export function hasResponses(schema: TableSchema): boolean {
  return hasColumns(schema, 'responses', 'id', 'prompt', 'response', 'conversation_id')
}

/** Returns true for a database with conversations of the second generation: a row for each message, shared by threads. */
export function hasThreads(schema: TableSchema): boolean {
  return (
    hasColumns(schema, 'threads', 'id', 'tip_message_hash') &&
    hasColumns(schema, 'turns', 'id', 'thread_id', 'parent_message_hash', 'tip_message_hash') &&
    hasColumns(schema, 'messages', 'hash', 'parent_hash', 'role') &&
    hasColumns(schema, 'parts', 'id', 'message_hash', 'position', 'type', 'text', 'payload')
  )
}

/** Returns a column of a table, or the SQL of nothing where this release does not have it. */
export function columnOf(schema: TableSchema, table: LogTable, as: string, name: string): string {
  return hasColumns(schema, table, name) ? `${as}."${name}"` : 'null'
}

/** Returns the SQL of an object with those of these columns that the table has; JSON in a column stays JSON. */
export function rowObject(
  schema: TableSchema,
  table: LogTable,
  as: string,
  names: readonly string[],
  more: readonly string[] = [],
): string {
  const members = names
    .filter((name) => hasColumns(schema, table, name))
    .map((name) => `'${name}', ${sqlValue(`${as}."${name}"`, jsonColumns.has(name))}`)
  return `json_object(${[...members, ...more].join(', ')})`
}

const jsonColumns: ReadonlySet<string> = new Set([
  'options_json',
  'token_details',
  'provider_metadata',
  'payload',
  'arguments',
])

function sqlValue(column: string, isJson: boolean): string {
  const text = `cast(${column} as text)`
  if (!isJson) return `iif(typeof(${column}) = 'blob', ${text}, ${column})`
  return `iif(json_valid(${text}), json(${text}), ${text})`
}
