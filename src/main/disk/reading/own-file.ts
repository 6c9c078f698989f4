import path from 'node:path'
import { type Disk, DiskError, type DiskFile, type FileStat } from '../interface/disk'
import { isNotFound } from './read'
import { realPathOrNone } from './real-path'

/** Result of opening a file that must lie in a folder itself. */
export type OwnFile<T> =
  | { readonly type: 'read'; readonly value: T }
  | { readonly type: 'gone' | 'link' | 'unreadable' }

/**
 * Opens a file below a folder and hands it to `read`, unless a link is on the way from the folder to it, or it is no file. The folder
 * itself may be reached by links. Never rejects but with what `read` throws that is no DiskError.
 *
 * @param base absolute
 * @param below the way from there, with slashes, the file's name last
 */
export async function readOwnFile<T>(
  disk: Disk,
  base: string,
  below: string,
  read: (file: DiskFile, stat: FileStat) => Promise<T>,
): Promise<OwnFile<T>> {
  const wanted = path.join(base, ...below.split('/'))
  try {
    const stat = await disk.stat(wanted)
    if (stat === undefined) return { type: 'gone' }
    // What is no file, such as a pipe, may block whoever opens it.
    if (stat.kind !== 'file') return { type: 'link' }
    const own = path.join(await disk.realPath(base), ...below.split('/'))
    if ((await disk.realPath(wanted)) !== own) return { type: 'link' }
    const file = await disk.open(wanted, 'read')
    try {
      // It may have been replaced by a link meanwhile.
      const opened = (await file.realPath?.()) ?? (await realPathOrNone(disk, wanted))
      if (opened !== own) return { type: 'link' }
      return { type: 'read', value: await read(file, await file.stat()) }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    return { type: isNotFound(error) ? 'gone' : 'unreadable' }
  }
}
