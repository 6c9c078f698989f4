import fs from 'node:fs'
import { DiskError, type PinnedFolder } from '../interface/disk'

/** Where Linux has a name for each open file of a process, by which it is found wherever it lies. */
const openFiles = '/proc/self/fd'

/** True where the system can tell the present path of an open file: on Linux with /proc. */
export const canLocateOpenFiles = process.platform === 'linux' && fs.existsSync(openFiles)

/** Resolves to the present path of an open file; undefined where the system does not tell. */
export async function openFilePath(descriptor: number): Promise<string | undefined> {
  if (!canLocateOpenFiles) return undefined
  return fs.promises.readlink(`${openFiles}/${descriptor}`).catch(() => undefined)
}

/**
 * Opens a folder whose path has no link in it; only where `canLocateOpenFiles`. Throws Node's errors, and DiskError
 * `not-directory` where a link is on the path.
 */
export async function pinFolder(folder: string): Promise<PinnedFolder> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants
  const handle = await fs.promises.open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
  try {
    if ((await openFilePath(handle.fd)) !== folder)
      throw new DiskError('not-directory', folder, `${folder} leads through a link`)
  } catch (error) {
    await handle.close()
    throw error
  }
  return { path: `${openFiles}/${handle.fd}`, close: () => handle.close() }
}
