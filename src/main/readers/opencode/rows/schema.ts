import type { SqlAnswer } from '../../../sqlite/database'
import type { Databases } from '../../../sqlite/databases'
import type { LostRows } from '../../../sqlite/mended-pages'
import { SqliteError } from '../../../sqlite/sqlite-error'

/** Tables of a database that hold conversations. The first three are version 1, the others version 2. */
export type TableName = 'session' | 'message' | 'part' | 'session_v2' | 'session_message'

/** Columns of each table that is there; releases differ. */
export interface TableSchema {
  readonly version: unknown
  readonly columns: ReadonlyMap<string, readonly string[]>
  /** Indexes by which the rows of a session are found, by table: their names. */
  readonly indexes: ReadonlyMap<string, string>
}

const versionSql = 'pragma schema_version'

/** The tables that are read past damage. */
const tables = ['session', 'message', 'part', 'session_v2', 'session_message', 'project']
const among = `(${tables.map((name) => `'${name}'`).join(', ')})`

const columnsSql = `
  select t.name, c.name from sqlite_schema t, pragma_table_info(t.name, 'main') c
  where t.type = 'table' and t.name in ${among}
  order by t.name, c.cid`

const indexesSql = `
  select t.name, i.name
  from sqlite_schema t, pragma_index_list(t.name, 'main') i, pragma_index_info(i.name, 'main') c
  where t.type = 'table' and t.name in ${among} and i.partial = 0
    and c.seqno = 0 and c.name = iif(t.name in ('session', 'session_v2'), 'id', 'session_id')`

/** Reads the columns of the tables that hold conversations. @throws SqliteError */
async function readSchema(databases: Databases, path: string): Promise<TableSchema> {
  const queries = [versionSql, columnsSql, indexesSql].map((sql) => ({ sql }))
  const { answers } = await databases.read(path, queries, tables)
  const columns = new Map<string, string[]>()
  for (const [table, column] of answers[1]?.rows ?? []) {
    const known = columns.get(String(table))
    if (known === undefined) columns.set(String(table), [String(column)])
    else known.push(String(column))
  }
  const indexes = new Map(
    (answers[2]?.rows ?? []).map(([table, index]) => [String(table), String(index)]),
  )
  return { version: answers[0]?.rows[0]?.[0], columns, indexes }
}

/** Returns true where a table is there with these columns. */
export function hasColumns(schema: TableSchema, table: TableName, ...wanted: string[]): boolean {
  const columns = schema.columns.get(table)
  return columns !== undefined && wanted.every((name) => columns.includes(name))
}

/** A query and its values, made for the columns that a database has. */
export interface SchemaQuery {
  readonly sql: string
  readonly values?: readonly (string | number)[]
}

/** The answers to such queries, about one state of the database, with the schema that they were made for. */
export interface SchemaAnswer {
  readonly schema: TableSchema
  readonly state: string
  readonly answers: readonly SqlAnswer[]
  /** Rows that the answers may lack, of a damaged database; undefined where no damage was met. */
  readonly lost: readonly LostRows[] | undefined
}

/** Databases read by queries that are made for their schema, which an upgrade of the program changes. */
export interface SchemaReader {
  /** @throws SqliteError */
  read(
    path: string,
    queries: (schema: TableSchema) => readonly SchemaQuery[],
  ): Promise<SchemaAnswer>
}

/** The rows of a conversation's answer are numbers or its own text: they are wanted whole. */
const mostBytes = 512 * 1024 * 1024
const mostTries = 3

/** Remembers the schema of each database until it changes. */
export function schemaReader(databases: Databases): SchemaReader {
  const known = new Map<string, TableSchema>()

  async function read(
    path: string,
    queries: (schema: TableSchema) => readonly SchemaQuery[],
  ): Promise<SchemaAnswer> {
    for (let tries = 1; ; tries++) {
      const schema = known.get(path) ?? (await readSchema(databases, path))
      known.set(path, schema)
      const wanted = queries(schema).map((query) => ({ ...query, mostBytes }))
      try {
        const { state, answers, lost } = await databases.read(
          path,
          [{ sql: versionSql }, ...wanted],
          tables,
        )
        if (answers[0]?.rows[0]?.[0] === schema.version)
          return { schema, state, answers: answers.slice(1), lost }
      } catch (error) {
        // A column may be gone since the schema was read.
        if (!(error instanceof SqliteError) || error.code !== 'query' || tries === mostTries)
          throw error
      }
      known.delete(path)
      if (tries === mostTries) throw new SqliteError('busy', 'changes its tables while it is read')
    }
  }

  return { read }
}
