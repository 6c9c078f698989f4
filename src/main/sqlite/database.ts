import type { Database as Connection } from '@sqlite.org/sqlite-wasm'
import { DiskError } from '../disk/interface/disk'
import { connect, type Engine, RowReader, type SqlValue } from './engine'
import { type LostRows, MendedPages } from './mended-pages'
import { pause } from './pause'
import { Snapshot, unreadable } from './snapshot'
import { SqliteError } from './sqlite-error'
import { Statements } from './statements'
import type { ColumnDescription, TableSums } from './sum-query'
import { sumTable } from './table-sums'

/** A statement that only reads, and how much of its answer is wanted. Plain data: it crosses to a thread. */
export interface SqlQuery {
  readonly sql: string
  readonly values?: readonly SqlValue[]
  /** Rows are read until they hold so many bytes; one row at least, however large. */
  readonly mostBytes?: number
}

/** A question for sums over the rows of a table, which its pages answer without SQLite. Plain data too. */
export interface SumQuery {
  readonly sums: TableSums
}

/** The answer to a query. */
export interface SqlAnswer {
  readonly rows: readonly (readonly SqlValue[])[]
  /** More rows follow: `mostBytes` was reached, or so many pages were summed up that it is time for another query. */
  readonly isCut: boolean
  /** The rowid behind which another query for sums goes on; undefined where they are of all rows. */
  readonly reached?: number | undefined
}

/** The answers to queries about one state of a database. */
export interface StateAnswer {
  /** Another text whenever anything in the database may be another. */
  readonly state: string
  readonly answers: readonly SqlAnswer[]
  /** Rows that the answers may lack; undefined where they were read without leaving out any damage. */
  readonly lost?: readonly LostRows[] | undefined
  /** Why this state lacks something that was committed, as the end of a sentence; undefined where it lacks nothing. */
  readonly fault?: string | undefined
}

const defaultMostBytes = 8 * 1024 * 1024
/** So often a state is read before the database counts as busy. */
const mostTries = 30
const longestPauseMs = 20

/** One database of another program, read in this thread; its calls block. Files are open only inside of `read`. */
export class Database {
  private readonly engine: Engine
  private readonly snapshot: Snapshot
  private connection: Connection | undefined
  private statements: Statements | undefined
  private state = ''
  /** The database of this state without its damage, and the tables that were looked into. */
  private mended: { readonly pages: MendedPages; readonly tables: string } | undefined

  constructor(engine: Engine, path: string) {
    this.engine = engine
    this.snapshot = new Snapshot(path)
  }

  /**
   * Answers queries about one consistent state: all that is committed now. Where the database changed meanwhile in a way
   * that matters, it reads again. Short queries only: a long one is overtaken by a writer.
   *
   * For sums that SQLite alone can tell, as past damage, there is an error: a query for them answers.
   *
   * @param tables are read past damage: where a query meets some, the rows on whole pages answer, found without an index, and
   * `lost` names the others. Without it damage is an error.
   *
   * @throws SqliteError `unsupported` for such sums
   */
  read(queries: readonly (SqlQuery | SumQuery)[], tables: readonly string[] = []): StateAnswer {
    const { snapshot, engine } = this
    for (let tries = 1; tries <= mostTries; tries++) {
      engine.reading = snapshot
      try {
        snapshot.take()
        // Its cache is of another state, or of a disk that failed and does no more.
        const isSame = this.state === snapshot.state && this.isMendedFor(tables)
        if (!isSame) this.close()
        this.state = snapshot.state
        const answers = this.answersNow(queries, tables)
        const lost = this.mended?.pages.lost
        const { state, fault } = snapshot
        if (answers !== undefined) return { state, answers, lost, fault }
      } finally {
        snapshot.release()
        engine.reading = undefined
      }
      this.close()
      pause(Math.min(2 ** tries, longestPauseMs))
    }
    throw new SqliteError('busy', 'changes too fast to be read')
  }

  /** Gives its memory back; it can be read all the same. */
  close(): void {
    this.disconnect()
    this.mended = undefined
  }

  /** False where pages were mended for other tables, or some of them can be read by now. */
  private isMendedFor(tables: readonly string[]): boolean {
    const { mended } = this
    return (
      mended === undefined || (mended.tables === tables.join() && !mended.pages.isReadableAgain())
    )
  }

  private disconnect(): void {
    this.statements?.close()
    this.statements = undefined
    this.connection?.close()
    this.connection = undefined
  }

  /** Undefined where the state did not last: then even an error may be one that no state has. */
  private answersNow(
    queries: readonly (SqlQuery | SumQuery)[],
    tables: readonly string[],
  ): readonly SqlAnswer[] | undefined {
    try {
      const answers = this.answersPast(queries, tables)
      return this.snapshot.holds() ? answers : undefined
    } catch (error) {
      if (this.snapshot.holds()) throw wordsOf(error)
      return undefined
    }
  }

  /** Past the damage in tables, once some was met. @throws the package's SQLite3Error */
  private answersPast(
    queries: readonly (SqlQuery | SumQuery)[],
    tables: readonly string[],
  ): readonly SqlAnswer[] {
    try {
      return this.answersOf(queries)
    } catch (error) {
      if (tables.length === 0 || this.mended !== undefined || !isDamage(error)) throw error
      this.disconnect()
      this.mend(tables)
      return this.answersOf(queries)
    }
  }

  private answersOf(queries: readonly (SqlQuery | SumQuery)[]): readonly SqlAnswer[] {
    if (this.mended !== undefined) this.engine.reading = this.mended.pages
    this.connection ??= connect(this.engine)
    const { connection } = this
    this.statements ??= new Statements(connection)
    const { statements } = this
    return queries.map((query) =>
      'sums' in query
        ? this.sumsOf(connection, statements, query.sums)
        : this.answerOf(connection, statements, query),
    )
  }

  /** Leaves damaged pages out; views take the place of the tables, so that no query finds its rows by an index. */
  private mend(tables: readonly string[]): void {
    const pages = new MendedPages(this.snapshot, this.snapshot.unreadAt)
    this.engine.reading = pages
    const connection = connect(this.engine)
    const statements = new Statements(connection)
    try {
      const { rows } = this.answerOf(connection, statements, {
        sql: rootsSql,
        values: [JSON.stringify(tables)],
      })
      for (const [table, root] of rows) {
        pages.mendTable(String(table), Number(root))
        const name = `"${String(table).replaceAll('"', '""')}"`
        connection.exec(
          `create temp view ${name} as select rowid as rowid, * from main.${name} not indexed`,
        )
      }
    } catch (error) {
      statements.close()
      connection.close()
      throw error
    }
    this.connection = connection
    this.statements = statements
    this.mended = { pages, tables: tables.join() }
  }

  private sumsOf(connection: Connection, statements: Statements, sums: TableSums): SqlAnswer {
    const values = [sums.table]
    const [made, columns] = [tableSql, columnsSql].map(
      (sql) => this.answerOf(connection, statements, { sql, values }).rows,
    )
    const [root, sql] = made?.[0] ?? []
    const table = { root: Number(root ?? 0), sql: String(sql), columns: columnsFrom(columns ?? []) }
    const summed = this.mended === undefined ? sumTable(this.snapshot, table, sums) : undefined
    if (summed === undefined)
      throw new SqliteError('unsupported', 'has rows that only SQLite reads')
    const { rows, reached } = summed
    return { rows, isCut: reached !== undefined, reached }
  }

  private answerOf(connection: Connection, statements: Statements, query: SqlQuery): SqlAnswer {
    const { sqlite } = this.engine
    const { SQLITE_DONE, SQLITE_ROW } = sqlite.capi
    const { sql, values = [], mostBytes = defaultMostBytes } = query
    const step: (statement: unknown) => number = sqlite.wasm.exports.sqlite3_step
    const statement = statements.take(sql)
    try {
      const { pointer, columnCount } = statement
      if (values.length > 0) statement.bind([...values])
      const rows: SqlValue[][] = []
      const reader = new RowReader(this.engine, pointer as number, columnCount)
      for (let code = step(pointer); code !== SQLITE_DONE; code = step(pointer)) {
        if (code !== SQLITE_ROW) connection.checkRc(code)
        if (reader.bytes >= mostBytes) return { rows, isCut: true }
        rows.push(reader.read())
      }
      return { rows, isCut: false }
    } finally {
      statements.giveBack(sql, statement)
    }
  }
}

const rootsSql = `select name, rootpage from sqlite_schema
  where type = 'table' and name in (select value from json_each(?1))`

const tableSql = `select rootpage, sql from sqlite_schema where type = 'table' and name = ?1`
const columnsSql =
  'select name, type, dflt_value, pk, hidden from pragma_table_xinfo(?1) order by cid'

function columnsFrom(rows: SqlAnswer['rows']): readonly ColumnDescription[] {
  return rows.map(([name, type, fallback = null, key, hidden]) => ({
    name: String(name),
    type: String(type),
    fallback,
    isKey: key !== 0,
    isHidden: hidden !== 0,
  }))
}

/** Primary result codes of SQLite. */
const errorCode = 1
const corruptCode = 11
/** That a page could not be read, with what was being done; the disk's own error did not come through SQLite. */
const unreadCode = 10 | (1 << 8)
const notDatabaseCode = 26

function isDamage(error: unknown): boolean {
  const { resultCode } = error as { resultCode?: unknown }
  if (typeof resultCode !== 'number') return false
  return (resultCode & 0xff) === corruptCode || resultCode === unreadCode
}

function wordsOf(error: unknown): unknown {
  // It is of no class any more behind a thread.
  if (error instanceof DiskError) return unreadable(error)
  const { resultCode, message } = error as { resultCode?: unknown; message?: unknown }
  if (typeof resultCode !== 'number') return error
  const primary = resultCode & 0xff
  if (primary === notDatabaseCode)
    return new SqliteError('damaged', 'is not a database, or its beginning is damaged', error)
  if (primary === corruptCode)
    return new SqliteError('damaged', 'is damaged: its pages do not fit together', error)
  // As a bad sector: the pages around it can be read.
  if (resultCode === unreadCode)
    return new SqliteError('damaged', 'is damaged: some of its pages cannot be read', error)
  if (primary === errorCode) return new SqliteError('query', `${message}`, error)
  return new SqliteError('unreadable', `cannot be read (${message})`, error)
}
