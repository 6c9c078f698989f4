import type { DiskFile, FileStat } from '../../disk/interface/disk'
import { refuseWrite } from './record-lines'

/** Returns a file that reads as bytes in memory, with the time and identity of another. */
export function bytesFile(
  place: string,
  bytes: Buffer,
  { mtimeMs, identity }: Pick<FileStat, 'mtimeMs' | 'identity'>,
): DiskFile {
  return {
    read: async (into, position) => bytes.copy(into, 0, position, position + into.length),
    write: () => refuseWrite(place),
    sync: async () => {},
    stat: async () => ({ kind: 'file', sizeBytes: bytes.length, mtimeMs, identity }),
    close: async () => {},
  }
}
