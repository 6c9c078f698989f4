import path from 'node:path'
import { DiskError, type DiskFile, type FileStat } from '../../disk/interface/disk'
import { refuseWrite } from '../../records/interface/record-lines'
import { SqliteError } from '../../sqlite/sqlite-error'

/** Returns a file that reads as bytes in memory, with the time and identity of another. */
export function bufferFile(
  place: string,
  bytes: Buffer,
  known: Pick<FileStat, 'mtimeMs' | 'identity'>,
): DiskFile {
  const { mtimeMs, identity } = known
  return {
    read: async (into, position) => bytes.copy(into, 0, position, position + into.length),
    write: () => refuseWrite(place),
    sync: async () => {},
    stat: async () => ({ kind: 'file', sizeBytes: bytes.length, mtimeMs, identity }),
    close: async () => {},
  }
}

/** Does work on a database, whose failures become those of a disk. @throws DiskError */
export async function onDatabase<T>(database: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof SqliteError)) throw error
    throw new DiskError('io', database, `${path.basename(database)} ${error.message}`, error)
  }
}
