import path from 'node:path'
import { DiskError } from '../../../disk/interface/disk'
import { SqliteError } from '../../../sqlite/sqlite-error'

/** Returns true for the error of a database that is damaged. */
export function isDamaged(error: unknown): error is SqliteError {
  return error instanceof SqliteError && error.code === 'damaged'
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
