import fs from 'node:fs'
import { DiskError, type PinnedFolder } from '../interface/disk'

/** Where Linux has a name for each open file of a process, by which it is found wherever it lies. */
const openFiles = '/proc/self/fd'

/** Whether the system tells where an open file lies. */
export const canLocateOpenFiles = process.platform === 'linux' && fs.existsSync(openFiles)

/** Where an open file lies now; undefined where nobody tells. */
export async function openFilePath(descriptor: number): Promise<string | undefined> {
  if (!canLocateOpenFiles) return undefined
  return fs.promises.readlink(`${openFiles}/${descriptor}`).catch(() => undefined)
}

/** Opens a folder that no link is on the way to; only where `canLocateOpenFiles`. Throws what Node does, and DiskError. */
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
