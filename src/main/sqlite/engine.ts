import init, {
  type Database as Connection,
  type Sqlite3Result,
  type Sqlite3Static,
} from '@sqlite.org/sqlite-wasm'
import wasmUrl from '@sqlite.org/sqlite-wasm/sqlite3.wasm?url&inline'
import type { DatabaseBytes } from './database-bytes'

/** A value in a row. Integers beyond 2^53 are bigints; bytes are a copy. */
export type SqlValue = string | number | bigint | null | Uint8Array

/** SQLite itself, compiled to WebAssembly: one for a thread. Every call blocks. */
export interface Engine {
  readonly sqlite: Sqlite3Static
  /** The one file of its file system: the database that is being read. */
  reading: DatabaseBytes | undefined
}

/** Loads SQLite over a file system of one file, that of `Engine.reading`; takes some 30 to 140 ms. */
export async function loadEngine(): Promise<Engine> {
  // The package's type of its one function leaves out its options.
  const start = init as unknown as (options: { wasmBinary: Uint8Array }) => Promise<Sqlite3Static>
  const wasmBinary = Buffer.from(wasmUrl.slice(wasmUrl.indexOf(',') + 1), 'base64')
  const engine: Engine = { sqlite: await start({ wasmBinary }), reading: undefined }
  // It throws as well.
  Object.assign(engine.sqlite.config, { warn: () => undefined, error: () => undefined })
  installFileSystem(engine)
  return engine
}

/** Opens a connection to the database that the engine reads. It reads at once. @throws the package's SQLite3Error */
export function connect({ sqlite }: Engine): Connection {
  const connection = new sqlite.oo1.DB({ filename: 'database', flags: 'r', vfs: fileSystemName })
  return connection.exec(
    'pragma temp_store = memory; pragma trusted_schema = off; pragma cell_size_check = on; pragma cache_size = -8000',
  )
}

/**
 * Reads rows at which a statement is, and counts the memory that they take. The package's own way takes more than twice as
 * long.
 */
export class RowReader {
  /** Of all rows that were read, roughly. */
  bytes = 0
  private readonly engine: Engine
  private readonly statement: number
  private readonly columnCount: number

  constructor(engine: Engine, statement: number, columnCount: number) {
    this.engine = engine
    this.statement = statement
    this.columnCount = columnCount
  }

  /** Reads the row at which the statement is now. */
  read(): SqlValue[] {
    const row: SqlValue[] = []
    for (let column = 0; column < this.columnCount; column++) row.push(this.value(column))
    return row
  }

  // Bytes are counted here, by the type that SQLite tells: V8 11.3 (Node 20) optimizes `typeof` of a value that has just
  // come out of WebAssembly wrongly, and crashes.
  private value(column: number): SqlValue {
    const { wasm } = this.engine.sqlite
    const { statement } = this
    const get = wasm.exports
    this.bytes += 8
    switch (get.sqlite3_column_type(statement, column)) {
      case integerType: {
        const value: number = get.sqlite3_column_double(statement, column)
        return Number.isSafeInteger(value) ? value : get.sqlite3_column_int64(statement, column)
      }
      case realType:
        return get.sqlite3_column_double(statement, column)
      case nullType:
        return null
      case textType: {
        const at: number = get.sqlite3_column_text(statement, column)
        const length: number = get.sqlite3_column_bytes(statement, column)
        this.bytes += length
        return heapOf(wasm.heap8u()).toString('utf8', at, at + length)
      }
      default: {
        const at: number = get.sqlite3_column_blob(statement, column)
        const length: number = get.sqlite3_column_bytes(statement, column)
        this.bytes += length
        return new Uint8Array(wasm.heap8u().subarray(at, at + length))
      }
    }
  }
}

const fileSystemName = 'snapshot'

/** Types of values, by SQLite's C interface; a blob is 4. */
const integerType = 1
const realType = 2
const textType = 3
const nullType = 5

function heapOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

/** The methods of SQLite's file system, which gives bytes of the snapshot and refuses to write. */
function installFileSystem(engine: Engine): void {
  const { capi, vfs, wasm } = engine.sqlite
  // The package's types leave out the fields of its structures.
  const usual = new capi.sqlite3_vfs(capi.sqlite3_vfs_find(null)) as unknown as Record<
    string,
    number
  >
  const { $xRandomness, $xSleep, $xCurrentTimeInt64 } = usual
  const clock = { $xRandomness, $xSleep, $xCurrentTimeInt64 }
  const struct = Object.assign(new capi.sqlite3_vfs(), {
    $iVersion: 2,
    $szOsFile: 4,
    $mxPathname: 64,
    ...clock,
  })
  const io = Object.assign(new capi.sqlite3_io_methods(), { $iVersion: 1 })
  // A new function each time: what the package compiles of a function it keeps for that one, with one signature.
  const answer = (code: Sqlite3Result) => () => code
  const after = (_: unknown, code: Sqlite3Result = capi.SQLITE_OK) => code
  const ioMethods = {
    xRead: (_: number, into: number, length: number, offset: number | bigint) => {
      const bytes = wasm.heap8u().subarray(into, into + length)
      try {
        const done = engine.reading?.read(bytes, Number(offset)) ?? 0
        bytes.fill(0, done)
        return done < length ? capi.SQLITE_IOERR_SHORT_READ : capi.SQLITE_OK
      } catch {
        // An exception must not run through SQLite: its own error follows.
        return capi.SQLITE_IOERR_READ
      }
    },
    xFileSize: (_: number, at: number) => after(wasm.poke64(at, engine.reading?.sizeBytes ?? 0)),
    xCheckReservedLock: (_: number, at: number) => after(wasm.poke32(at, 0)),
    xWrite: answer(capi.SQLITE_READONLY),
    xTruncate: answer(capi.SQLITE_READONLY),
    xFileControl: answer(capi.SQLITE_NOTFOUND),
    xSectorSize: () => 512 as Sqlite3Result, // a size, not a code
    xDeviceCharacteristics: answer(capi.SQLITE_OK),
    xClose: answer(capi.SQLITE_OK),
    xSync: answer(capi.SQLITE_OK),
    xLock: answer(capi.SQLITE_OK),
    xUnlock: answer(capi.SQLITE_OK),
  }
  const methods = {
    xOpen: (_: number, name: number, file: number, flags: number, pFlags: number) => {
      if (name === 0) return capi.SQLITE_CANTOPEN
      Object.assign(new capi.sqlite3_file(file), { $pMethods: io.pointer }).dispose()
      return after(pFlags !== 0 && wasm.poke32(pFlags, flags))
    },
    xAccess: (_: number, __: number, ___: number, at: number) => after(wasm.poke32(at, 0)),
    xFullPathname: (_: number, name: number, size: number, into: number) =>
      after(wasm.cstrncpy(into, name, size)),
    xDelete: answer(capi.SQLITE_OK),
  }
  vfs.installVfs({
    io: { struct: io, methods: ioMethods },
    vfs: { struct, name: fileSystemName, methods },
  })
}
