/** Reasons why a database cannot be read; callers switch on them. */
export type SqliteErrorCode =
  /** No file is there, or one that cannot be opened. */
  | 'unreadable'
  /** It is being changed all the time: the next look may succeed. */
  | 'busy'
  /** A kind of database that this build of SQLite cannot read. */
  | 'unsupported'
  /** It is no database, or a part of it is malformed. */
  | 'damaged'
  /** The statement does not fit: a table or column is missing. */
  | 'query'

/** The failure to read a database. The message is the end of a sentence: "is not a database". */
export class SqliteError extends Error {
  readonly code: SqliteErrorCode

  constructor(code: SqliteErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.name = 'SqliteError'
    this.code = code
  }
}
