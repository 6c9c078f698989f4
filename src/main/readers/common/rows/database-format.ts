import { DiskError, type DiskFile, type FileStat } from '../../../disk/interface/disk'
import { type RecordFormat, recordPath } from '../../../records/interface/record-format'
import { onDatabase } from './database-file'

/** Parts of a format whose record files are made of a database; a database that fails is the failure of a disk. */
interface DatabaseParts {
  readonly id: string
  /** Opens a record file; undefined where the database has none of that name. @throws SqliteError, DiskError */
  opened(container: string, found: FileStat, name: string): Promise<DiskFile | undefined>
  /** Finds the stat of a record file without opening it; undefined at once where that takes opening it. @throws SqliteError, DiskError */
  statOf?(
    container: string,
    found: FileStat,
    name: string,
  ): Promise<FileStat | undefined> | undefined
}

/** Creates a format whose record files are made of a database. */
export function databaseFormat({ id, opened, statOf }: DatabaseParts): RecordFormat {
  return {
    id,
    async stat(disk, container, name) {
      const found = await disk.stat(container)
      if (found === undefined) return undefined
      return onDatabase(
        container,
        async () =>
          statOf?.(container, found, name) ?? (await opened(container, found, name))?.stat(),
      )
    },
    async open(disk, container, name) {
      const found = await disk.stat(container)
      const file =
        found === undefined
          ? undefined
          : await onDatabase(container, () => opened(container, found, name))
      if (file !== undefined) return file
      const target = recordPath({ container, format: id, name })
      throw new DiskError('not-found', target, `${target} is not there`)
    },
  }
}
