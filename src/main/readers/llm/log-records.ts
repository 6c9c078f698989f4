import type { RecordFormat } from '../../records/interface/record-format'
import type { Databases } from '../../sqlite/databases'
import { rowRecords } from '../common/rows/row-records'
import type { SchemaQuery, TableSchema } from '../common/rows/table-schema'
import { layOutLog } from './log-lines'
import { responseHeads, responseOverview, responseRows, responseValues } from './response-sql'
import { hasThreads, logTables } from './tables'
import {
  messageValues,
  threadHeads,
  threadMessageRows,
  threadOverview,
  threadPartsSql,
} from './thread-sql'
import { valueKinds } from './value-kinds'

/** The id of the format that presents conversations of llm's log as files of lines. */
export const logFormat = 'llm'

const nothing: SchemaQuery = { sql: 'select null where false' }

/** Returns the format of llm's log: each conversation is a file of lines, its own first, then its answers or messages. */
export function logRecords(databases: Databases): RecordFormat {
  return rowRecords(databases, {
    id: logFormat,
    keyColumns: logTables,
    overview: (schema) => [...threadOverview(schema), ...responseOverview(schema)],
    rows: (schema, names) =>
      [
        threadHeads(schema, names),
        threadMessageRows(schema, names),
        responseHeads(schema, names),
        responseRows(schema, names),
      ].map(([query = nothing]) => query),
    layOut: layOutLog,
    values: valuesQuery,
  })
}

function valuesQuery(schema: TableSchema, id: string, names: readonly string[]): SchemaQuery {
  const { message, response } = valueKinds
  const of = (kind: string) =>
    JSON.stringify(names.filter((name) => name.startsWith(kind)).map((name) => name.slice(2)))
  const responses = `select '${response}' || id, cast(value as blob) from (${responseValues(schema)})`
  const values = [id, of(message), of(response)]
  if (!hasThreads(schema)) return { sql: `${responses} where ?2 is not null`, values }
  const sql = `with ${threadPartsSql(schema, 'select value from json_each(?2)')}
    select '${message}' || id, cast(value as blob) from (${messageValues(schema)})
    union all ${responses}`
  return { sql, values }
}
