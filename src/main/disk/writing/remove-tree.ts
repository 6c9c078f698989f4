import path from 'node:path'
import type { Disk } from '../interface/disk'

/**
 * Removes a folder with everything in it; does nothing where it is not there. A link in it is removed, its target is
 * not. Stops at the first name that cannot be removed.
 *
 * @throws DiskError
 */
export async function removeTree(disk: Disk, folder: string): Promise<void> {
  const above = await disk.realPath(path.dirname(folder))
  await removeAt(disk, folder, path.join(above, path.basename(folder)))
}

/** @param real where it lies when it is no link */
async function removeAt(disk: Disk, target: string, real: string): Promise<void> {
  const stat = await disk.stat(target)
  const isFolder = stat?.kind === 'directory' && (await disk.realPath(target)) === real
  if (!isFolder) {
    if (stat !== undefined || (await isListed(disk, target))) await disk.unlink(target)
    return
  }
  for (const name of await disk.list(target))
    await removeAt(disk, path.join(target, name), path.join(real, name))
  await disk.removeFolder(target)
}

/** A link that leads nowhere is there all the same. */
async function isListed(disk: Disk, target: string): Promise<boolean> {
  return (await disk.list(path.dirname(target))).includes(path.basename(target))
}
