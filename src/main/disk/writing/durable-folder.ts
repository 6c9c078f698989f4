import path from 'node:path'
import { type Disk, DiskError } from '../interface/disk'

/** Folders whose names are durable all the way up, by path and identity. */
const durable = new WeakMap<Disk, Set<string>>()

/**
 * Makes a folder with those above it, and makes their names durable, also those that another process made and did not live
 * to sync: a file that is synced in a folder whose name is lost in a power failure is lost with it.
 *
 * @param permissions of those that it creates, as for `Disk.makeFolder`
 *
 * @throws DiskError
 */
export async function makeDurableFolder(
  disk: Disk,
  folder: string,
  permissions?: 'umask',
): Promise<void> {
  if ((await disk.stat(folder))?.kind !== 'directory') await disk.makeFolder(folder, permissions)
  await makeNamesDurable(disk, folder)
}

/**
 * Makes the names on the way to a folder durable, up to where its disk is mounted; once for each folder in the life of a
 * process. A folder above that this process may not read is taken for durable: it cannot have made it.
 *
 * @throws DiskError
 */
export async function makeNamesDurable(disk: Disk, folder: string): Promise<void> {
  const known = durable.get(disk) ?? new Set<string>()
  durable.set(disk, known)
  const synced: string[] = []
  let at = folder
  let stat = await disk.stat(at)
  while (stat !== undefined) {
    const mark = `${stat.identity} ${at}`
    if (known.has(mark)) break
    const above = path.dirname(at)
    const outer = above === at ? undefined : await disk.stat(above)
    // What is mounted there has no name to lose.
    if (outer !== undefined && deviceOf(outer.identity) === deviceOf(stat.identity))
      await syncReadable(disk, above)
    synced.push(mark)
    at = above
    stat = outer
  }
  for (const mark of synced) known.add(mark)
}

async function syncReadable(disk: Disk, folder: string): Promise<void> {
  try {
    await disk.syncFolder(folder)
  } catch (error) {
    if (!(error instanceof DiskError) || error.code !== 'denied') throw error
  }
}

function deviceOf(identity: string): string {
  return identity.slice(0, identity.indexOf(':'))
}
