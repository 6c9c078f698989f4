import type { Database as Connection, PreparedStatement } from '@sqlite.org/sqlite-wasm'

/** Statements that are kept: readers ask the same few, with other values. */
const mostKept = 24

/** The statements of a connection: preparing one takes longer than most answers do. */
export class Statements {
  private readonly connection: Connection
  private readonly kept = new Map<string, PreparedStatement>()

  constructor(connection: Connection) {
    this.connection = connection
  }

  /** Returns a statement that is at its beginning; `giveBack` follows. @throws the package's SQLite3Error */
  take(sql: string): PreparedStatement {
    const known = this.kept.get(sql)
    this.kept.delete(sql)
    return known ?? this.connection.prepare(sql)
  }

  /** Takes a statement back, which ends its reading and forgets its values; after an error it is gone. */
  giveBack(sql: string, statement: PreparedStatement): void {
    try {
      statement.reset(true)
    } catch {
      statement.finalize()
      return
    }
    this.kept.get(sql)?.finalize()
    this.kept.set(sql, statement)
    for (const [oldest, other] of this.kept) {
      if (this.kept.size <= mostKept) break
      other.finalize()
      this.kept.delete(oldest)
    }
  }

  /** Gives the memory back. */
  close(): void {
    for (const statement of this.kept.values()) statement.finalize()
    this.kept.clear()
  }
}
