import type { SqlAnswer, SumQuery } from '../../../sqlite/database'
import type { Databases } from '../../../sqlite/databases'
import type { LostRows } from '../../../sqlite/mended-pages'
import { SqliteError } from '../../../sqlite/sqlite-error'

/** Columns of each table that is there; releases differ. */
export interface TableSchema {
  readonly version: unknown
  readonly columns: ReadonlyMap<string, readonly string[]>
  /** Indexes by which the rows of a conversation are found, by table: their names. */
  readonly indexes: ReadonlyMap<string, string>
}

const versionSql = 'pragma schema_version'

/** The tables of a format. */
export interface WantedTables {
  /** By table: the column that names the conversation of a row; empty for a table of something else. */
  readonly keyColumns: Readonly<Record<string, string>>
  /** Rows of damaged tables are left out, and named; else damage is an error. See `Database.read`. */
  readonly isReadPastDamage: boolean
}

const columnsSql = `
  select t.name, c.name from sqlite_schema t, pragma_table_info(t.name, 'main') c
  where t.type = 'table' and t.name in (select key from json_each(?1))
  order by t.name, c.cid`

const indexesSql = `
  select t.name, i.name
  from sqlite_schema t, pragma_index_list(t.name, 'main') i, pragma_index_info(i.name, 'main') c
  where t.type = 'table' and i.partial = 0 and c.seqno = 0
    and c.name = (select value from json_each(?1) where key = t.name)`

/** Reads the columns of the tables that hold conversations. @throws SqliteError */
async function readSchema(
  databases: Databases,
  path: string,
  wanted: WantedTables,
): Promise<TableSchema> {
  const values = [JSON.stringify(wanted.keyColumns)]
  const { answers } = await databases.read(
    path,
    [{ sql: versionSql }, { sql: columnsSql, values }, { sql: indexesSql, values }],
    pastDamage(wanted),
  )
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

function pastDamage({ keyColumns, isReadPastDamage }: WantedTables): readonly string[] {
  return isReadPastDamage ? Object.keys(keyColumns) : []
}

/** Returns true where a table is there with these columns. */
export function hasColumns(schema: TableSchema, table: string, ...wanted: string[]): boolean {
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
  /** See `StateAnswer`. */
  readonly fault: string | undefined
}

/** Databases read by queries that are made for their schema, which an upgrade of the program changes. */
export interface SchemaReader {
  /** @throws SqliteError */
  read(
    path: string,
    queries: (schema: TableSchema) => readonly (SchemaQuery | SumQuery)[],
  ): Promise<SchemaAnswer>
}

/** The rows of a conversation's answer are numbers or its own text: they are wanted whole. */
const mostBytes = 512 * 1024 * 1024
const mostTries = 3

/** Creates a reader of databases of one format, which remembers the schema of each until it changes. */
export function schemaReader(databases: Databases, wanted: WantedTables): SchemaReader {
  const known = new Map<string, TableSchema>()

  async function read(
    path: string,
    queries: (schema: TableSchema) => readonly (SchemaQuery | SumQuery)[],
  ): Promise<SchemaAnswer> {
    for (let tries = 1; ; tries++) {
      const schema = known.get(path) ?? (await readSchema(databases, path, wanted))
      known.set(path, schema)
      const asked = queries(schema).map((query) =>
        'sums' in query ? query : { ...query, mostBytes },
      )
      try {
        const { state, answers, lost, fault } = await databases.read(
          path,
          [{ sql: versionSql }, ...asked],
          pastDamage(wanted),
        )
        if (answers[0]?.rows[0]?.[0] === schema.version)
          return { schema, state, answers: answers.slice(1), lost, fault }
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
