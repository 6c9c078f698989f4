import { DiskError, type DiskFile, type FileStat } from '../../../disk/interface/disk'

/** Returns a file that reads as bytes in memory. */
export function bufferFile(
  path: string,
  bytes: Buffer,
  known: Pick<FileStat, 'mtimeMs' | 'identity'>,
): DiskFile {
  return {
    read: async (into, position) => bytes.copy(into, 0, position, position + into.length),
    write: () => Promise.reject(new DiskError('denied', path, `${path} can only be read`)),
    sync: async () => {},
    stat: async () => ({ ...known, kind: 'file', sizeBytes: bytes.length }),
    close: async () => {},
  }
}
