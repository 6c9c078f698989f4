import { DiskError } from '../disk/interface/disk'
import { type BlockingFile, openBlocking, statExactly } from '../disk/node/blocking-file'
import type { DatabaseBytes } from './database-bytes'
import { pause } from './pause'
import { SqliteError } from './sqlite-error'
import {
  framesWithoutHeader,
  type SharedIndex,
  sharedIndexBytes,
  sharedIndexIn,
  type UnreadFrames,
  unreadFrames,
  unreadLogWords,
} from './unread-log'
import {
  beginLog,
  bytesAt,
  endOf,
  followLog,
  hasGrown,
  headerBytes,
  isSameLog,
  saltsOf,
  type WriteAheadLog,
} from './write-ahead-log'

/** File times are no finer than this: a younger one proves nothing. */
const tickMs = 20
const mostWaits = 50

/** Bytes that are read at once where SQLite reads one page behind the other. */
const aheadBytes = 64 * 1024
/** Pages so near behind the last one follow it; between them are the rest of long values. */
const nearBytes = 16 * 1024

/** Places in a database's first page, by the file format. */
const pageSizeAt = 16
const changeCounterAt = 24
const encodingAt = 56
const headBytes = 60
/** Places in the shared index: the salts of its log, and how many frames were copied to the main file. */
const indexSaltsAt = 32
const indexCopiedAt = 128

/**
 * One consistent state of a database that another program may be writing, without a lock.
 *
 * Its files are opened for reading alone: no lock is taken, no shared memory is mapped, nothing is created. Instead of
 * locking, `holds` says afterwards whether anything that was read can be newer than `take`; then the caller reads again.
 */
export class Snapshot implements DatabaseBytes {
  /** In bytes, of the database as `take` found it. */
  sizeBytes = 0
  /** Another text from one `take` to the next whenever a page can be another. */
  state = ''
  /** Why something committed is missing in this state, as the end of a sentence; undefined where nothing is. */
  fault: string | undefined
  /** Where the disk failed last since `take`, in bytes; undefined where it has not. */
  unreadAt: number | undefined
  /** What was read ahead since `take`, and where it begins. */
  private readonly held = Buffer.allocUnsafeSlow(aheadBytes)
  private heldAt = 0
  private heldBytes = 0
  /** False since something ahead could not be read: each page near it would try that again. */
  private readsAhead = true
  /** The end of what was read last. */
  private readTo = Number.POSITIVE_INFINITY
  private main: BlockingFile | undefined
  private side: BlockingFile | undefined
  private log: WriteAheadLog | undefined
  /** The state of the main file, where there is no log. */
  private quiet = ''
  /** What was counted last, and of which state of the log. */
  private counted: { readonly of: string; readonly unread: UnreadFrames } | undefined
  private readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /**
   * Fixes what `read` answers from now on: all that is committed by now. A log that only grew is followed, not read
   * anew. Every take is followed by a `release`.
   *
   * @throws SqliteError `busy`, `unsupported`, `unreadable`
   */
  take(): void {
    this.heldBytes = 0
    this.readsAhead = true
    this.readTo = Number.POSITIVE_INFINITY
    this.unreadAt = undefined
    try {
      this.takeFiles()
    } catch (error) {
      throw error instanceof DiskError ? unreadable(error) : error
    }
  }

  /**
   * Tells whether nothing that was read since `take` can have been newer than it. With a log: nothing is behind the
   * last commit that was taken, or the shared index says that no frame behind it was copied yet; and then the log's header
   * and both files are the same. Without one: no change has begun, and the main file is as it was. @throws SqliteError
   */
  holds(): boolean {
    try {
      const { log } = this
      if (log === undefined)
        return (
          this.areSameFiles() &&
          this.startedLog() === undefined &&
          !this.isHalfWritten() &&
          this.mainState() === this.quiet
        )
      // The order counts: what comes first is proved by what comes behind it.
      const isIntact = !hasGrown(log, this.side) || this.copiedFrames(log) <= log.frames
      return isIntact && isSameLog(log, this.side) && this.areSameFiles()
    } catch (error) {
      throw error instanceof DiskError ? unreadable(error) : error
    }
  }

  /** Closes the files: others may delete or replace them. */
  release(): void {
    this.main?.close()
    this.side?.close()
    this.main = undefined
    this.side = undefined
  }

  /**
   * Reads bytes of the database: each page from its newest committed copy in the log, else from the main file. SQLite asks for
   * a page at a time: where pages follow each other, some are read ahead of it.
   */
  read(into: Uint8Array, offset: number): number {
    const step = offset - this.readTo
    const isNext = step >= 0 && step <= nearBytes && into.length < aheadBytes
    this.readTo = offset + into.length
    const { held } = this
    const within = offset - this.heldAt
    if (within >= 0 && within + into.length <= this.heldBytes) {
      into.set(held.subarray(within, within + into.length))
      return into.length
    }
    if (!isNext || !this.readsAhead || !this.readAhead(offset)) return this.readHere(into, offset)
    const piece = held.subarray(0, Math.min(into.length, this.heldBytes))
    into.set(piece)
    return piece.length
  }

  /** False where not all can be read: a page of it may be one that nobody asks for. */
  private readAhead(offset: number): boolean {
    this.heldBytes = 0
    try {
      this.heldBytes = this.readNow(this.held, offset)
      this.heldAt = offset
      return true
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      this.readsAhead = false
      return false
    }
  }

  private readHere(into: Uint8Array, offset: number): number {
    try {
      return this.readNow(into, offset)
    } catch (error) {
      this.unreadAt = offset
      throw error
    }
  }

  private readNow(into: Uint8Array, offset: number): number {
    let done = 0
    for (let read = 1; read > 0 && done < into.length; done += read) {
      const at = offset + done
      const { copy, within, bytes } = this.pieceAt(at, into.length - done)
      const part = into.subarray(done, done + bytes)
      const file = copy === undefined ? this.main : this.side
      read = file?.read(part, copy === undefined ? at : copy + within) ?? 0
    }
    // SQLite is shown a database that has no log: bytes 18 and 19 say so.
    for (const at of [18 - offset, 19 - offset]) if (into[at] === 2) into[at] = 1
    return done
  }

  /** The copy in the log that a byte is in, or none; and so many bytes from there on are in the same file, one after the other. */
  private pieceAt(at: number, most: number) {
    const { log } = this
    if (log === undefined || log.frames === 0) return { copy: undefined, within: 0, bytes: most }
    const { pages, pageSize } = log
    const within = at % pageSize
    let page = (at - within) / pageSize + 1
    const copy = pages.get(page)
    let bytes = pageSize - within
    if (copy === undefined)
      while (bytes < most && !pages.has(page + 1)) {
        bytes += pageSize
        page += 1
      }
    return { copy, within, bytes: Math.min(bytes, most) }
  }

  private takeFiles(): void {
    const main = openBlocking(this.path)
    if (main === undefined) throw new SqliteError('unreadable', 'no longer exists')
    this.main = main
    this.side = openBlocking(`${this.path}-wal`)
    const begun = this.startedLog()
    // Compared by the header, which every restart of a log changes; the file may be another one too.
    if (begun === undefined || this.log?.header.equals(begun.header) !== true) this.log = begun
    const { log } = this
    if (log !== undefined) followLog(log, this.side)
    else this.quiet = this.quietState()
    const unread = this.unreadFrames()
    this.fault = unreadLogWords(unread)
    const lacking = this.fault === undefined ? '' : ` lacks ${unread.damaged} ${unread.unsure}`
    const taken =
      log === undefined
        ? this.quiet
        : `${main.stat().identity} ${log.header.toString('hex')} ${log.frames}`
    this.state = `${taken}${lacking}`
    this.sizeBytes =
      log === undefined || log.frames === 0 ? main.stat().sizeBytes : log.pageCount * log.pageSize
    this.refuseUtf16()
  }

  /** Counts committed frames that cannot be read, and those that may be. */
  private unreadFrames(): UnreadFrames {
    const none = { damaged: 0, unsure: 0 }
    const { log, side } = this
    const stat = side?.stat()
    if (stat === undefined || this.main?.stat().sizeBytes === 0) return none
    const index = log === undefined ? undefined : this.sharedIndex()
    const ends = stat.sizeBytes <= (log === undefined ? headerBytes : endOf(log))
    if (ends && index === undefined) return none
    // What the index counts was whole before.
    if (log !== undefined) followLog(log, side)
    const told = log === undefined ? '' : `${log.header.toString('hex')} ${log.frames}`
    const of = `${stat.identity} ${stat.sizeBytes} ${stat.mtimeNs} ${told}`
    if (index !== undefined || this.counted?.of !== of) {
      const unread =
        log === undefined
          ? framesWithoutHeader(side, this.mainPageSize())
          : unreadFrames(log, side, index)
      this.counted = { of, unread }
    }
    return this.counted.unread
  }

  /** On Windows nobody has shown that the index, read as a file, is up to date. */
  private sharedIndex(): SharedIndex | undefined {
    if (process.platform === 'win32') return undefined
    try {
      return sharedIndexIn(bytesIn(`${this.path}-shm`, 0, sharedIndexBytes))
    } catch (error) {
      if (error instanceof DiskError) return undefined
      throw error
    }
  }

  private mainPageSize(): number {
    const told = bytesAt(this.main, pageSizeAt, 2)
    const size = told.length < 2 ? 0 : told.readUInt16BE(0)
    return size === 1 ? 65536 : Math.max(size, 512)
  }

  private refuseUtf16(): void {
    const head = Buffer.alloc(headBytes)
    const encoding = this.read(head, 0) < headBytes ? 0 : head.readUInt32BE(encodingAt)
    if (encoding === 2 || encoding === 3)
      throw new SqliteError('unsupported', 'keeps its text as UTF-16, which Skein cannot read')
  }

  /** As with SQLite, a log beside an empty file counts for nothing. */
  private startedLog(): WriteAheadLog | undefined {
    return this.main?.stat().sizeBytes === 0 ? undefined : beginLog(this.side)
  }

  /** The state of the main file when nobody is changing it, nor was just now. */
  private quietState(): string {
    for (let tries = 0; tries < mostWaits; tries++) {
      const state = this.mainState()
      const mtimeMs = Number((this.main?.stat().mtimeNs ?? 0n) / 1_000_000n)
      const isYoung = Math.abs(Date.now() - mtimeMs) < tickMs
      if (!isYoung && !this.isHalfWritten()) return state
      pause(tickMs)
    }
    throw new SqliteError('busy', 'is in the middle of a change')
  }

  private mainState(): string {
    const stat = this.main?.stat()
    const counter = bytesAt(this.main, changeCounterAt, 4).toString('hex')
    return `${stat?.identity} ${stat?.sizeBytes} ${stat?.mtimeNs} ${counter}`
  }

  /** Returns true where a rollback journal has begun: then some pages may be new and others old. */
  private isHalfWritten(): boolean {
    return (bytesIn(`${this.path}-journal`, 0, 1)[0] ?? 0) !== 0
  }

  /** Returns the number of frames that may be in the main file by now, by the index that writers share; unknown is too many. */
  private copiedFrames(log: WriteAheadLog): number {
    // On Windows nobody has shown that the index, read as a file, is up to date.
    if (process.platform === 'win32') return Number.POSITIVE_INFINITY
    const index = `${this.path}-shm`
    try {
      const copied = bytesIn(index, indexCopiedAt, 4)
      const isSame = bytesIn(index, indexSaltsAt, 8).equals(saltsOf(log))
      return isSame && copied.length === 4 ? copied.readUInt32LE(0) : Number.POSITIVE_INFINITY
    } catch (error) {
      if (error instanceof DiskError) return Number.POSITIVE_INFINITY
      throw error
    }
  }

  private areSameFiles(): boolean {
    return this.isSame('', this.main) && this.isSame('-wal', this.side)
  }

  private isSame(suffix: string, file: BlockingFile | undefined): boolean {
    return statExactly(this.path + suffix)?.identity === file?.stat().identity
  }
}

function bytesIn(path: string, position: number, length: number): Buffer {
  const file = openBlocking(path)
  try {
    return bytesAt(file, position, length)
  } finally {
    file?.close()
  }
}

/** Returns the error of a database whose bytes cannot be read. */
export function unreadable(error: DiskError): SqliteError {
  return new SqliteError('unreadable', `cannot be read: ${error.message}`, error)
}
