import type { Disk } from '../disk/interface/disk'
import { recordDisk } from '../records/record-disk'
import { readers } from './index'

/**
 * Returns a disk on which every reader's files can be opened: those of the disk, and conversations inside of documents
 * and databases as record files.
 *
 * @param disk that unpacks packed files
 */
export function historyDisk(disk: Disk): Disk {
  return recordDisk(
    disk,
    readers.flatMap(({ recordFormat }) => recordFormat ?? []),
  )
}
