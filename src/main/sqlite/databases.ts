import type { Database, SqlQuery, StateAnswer, SumQuery } from './database'
import { SqliteError } from './sqlite-error'

/** Databases of other programs, read only: one for a thread. A database may be written by its program meanwhile. */
export interface Databases {
  /**
   * Answers short queries about one consistent state of the database at a path. Nothing is created, locked or written.
   *
   * @param tables are read past damage, see `Database.read`
   *
   * @throws SqliteError
   */
  read(
    path: string,
    queries: readonly (SqlQuery | SumQuery)[],
    tables?: readonly string[],
  ): Promise<StateAnswer>
  close(): Promise<void>
}

/** Databases whose cache is kept; each holds up to 8 MB. */
const mostOpen = 8

/**
 * Reads databases in the caller's own thread: for worker threads and the command line, since calls block. SQLite itself
 * is loaded with the first read.
 */
export function databasesHere(): Databases {
  const open = new Map<string, Database>()
  let loading: Promise<(path: string) => Database> | undefined

  function databaseAt(path: string, create: (path: string) => Database): Database {
    const database = open.get(path) ?? create(path)
    // The one that was used last is the last.
    open.delete(path)
    open.set(path, database)
    for (const [oldest, other] of open) {
      if (open.size <= mostOpen) break
      other.close()
      open.delete(oldest)
    }
    return database
  }

  return {
    async read(path, queries, tables) {
      loading ??= load()
      const create = await loading
      return databaseAt(path, create).read(queries, tables)
    },
    async close() {
      for (const database of open.values()) database.close()
      open.clear()
    },
  }
}

async function load(): Promise<(path: string) => Database> {
  // Most libraries have no database: what is large is loaded for those that have one.
  const [{ loadEngine }, { Database }] = await Promise.all([
    import('./engine'),
    import('./database'),
  ])
  const engine = await loadEngine().catch((cause: unknown) => {
    throw new SqliteError('unsupported', 'needs SQLite, which cannot be started here', cause)
  })
  return (path) => new Database(engine, path)
}
