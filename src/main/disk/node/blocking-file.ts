import fs from 'node:fs'
import { diskError, undefinedIfMissing } from './node-disk'

/** Size, time and identity of a file, the time as exact as the system has it. */
export interface ExactStat {
  readonly sizeBytes: number
  readonly mtimeNs: bigint
  /** Device and inode, as in `FileStat`. */
  readonly identity: string
}

/** A file opened for reading alone, whose calls block; the code that opens it closes it. */
export interface BlockingFile {
  /** Reads into `into` from byte `position`; returns the bytes read, 0 at the end. May read fewer than asked. */
  read(into: Uint8Array, position: number): number
  stat(): ExactStat
  close(): void
}

/**
 * Opens a file for reading; undefined where nothing is there. For code in a worker thread that must answer at once, as
 * SQLite asks for its pages; never for the main thread of the app.
 *
 * @throws DiskError
 */
export function openBlocking(path: string): BlockingFile | undefined {
  let descriptor: number
  try {
    // An error takes longer than the question whether it is there: a log and a journal mostly are not.
    if (fs.statSync(path, { throwIfNoEntry: false }) === undefined) return undefined
    descriptor = fs.openSync(path, 'r')
  } catch (cause) {
    return undefinedIfMissing(path, cause)
  }
  const now = <T>(operation: () => T): T => {
    try {
      return operation()
    } catch (cause) {
      throw diskError(path, cause)
    }
  }
  return {
    read: (into, position) => now(() => fs.readSync(descriptor, into, 0, into.length, position)),
    stat: () => now(() => exactStat(fs.fstatSync(descriptor, { bigint: true }))),
    close: () => now(() => fs.closeSync(descriptor)),
  }
}

/** Reads the exact stat of a path; undefined where nothing is there. Blocks. @throws DiskError */
export function statExactly(path: string): ExactStat | undefined {
  try {
    const stat = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
    return stat === undefined ? undefined : exactStat(stat)
  } catch (cause) {
    return undefinedIfMissing(path, cause)
  }
}

function exactStat({ size, mtimeNs, dev, ino }: fs.BigIntStats): ExactStat {
  return { sizeBytes: Number(size), mtimeNs, identity: `${dev}:${ino}` }
}
