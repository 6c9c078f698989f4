import type { Disk } from '../disk/interface/disk'
import { recordDisk } from '../records/record-disk'
import { type Databases, databasesHere } from '../sqlite/databases'
import { readers } from './index'

/**
 * Returns a disk on which every reader's files can be opened: those of the disk, and conversations inside of documents
 * and databases as record files.
 *
 * @param disk that unpacks packed files
 *
 * @param databases read in this thread unless given: then their calls block, which the app's main thread must not
 */
export function historyDisk(disk: Disk, databases: Databases = databasesHere()): Disk {
  return recordDisk(
    disk,
    readers.flatMap(({ recordFormat, databaseFormats }) => [
      ...(recordFormat === undefined ? [] : [recordFormat]),
      ...(databaseFormats?.(databases) ?? []),
    ]),
  )
}
