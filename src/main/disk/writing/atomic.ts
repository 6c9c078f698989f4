import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Disk, DiskFile, FileStat } from '../interface/disk'
import { DiskError } from '../interface/disk'
import type { FilePermissions } from '../interface/permissions'
import { isNameTaken, isNotFound } from '../reading/read'

/** chibi's name of a file on its way: the extension replaced by `tmp.<u32>`. Readers of a home ignore such names. */
export function temporaryName(target: string): string {
  const { dir, name } = path.parse(target)
  return path.join(dir, `${name}.tmp.${randomBytes(4).readUInt32LE()}`)
}

/** Whether a name is one that an atomic write left behind. */
export function isTemporaryName(name: string): boolean {
  return /\.tmp\.\d+$/.test(name)
}

interface NewFileOptions {
  readonly durable: boolean
  readonly permissions?: FilePermissions | undefined
}

/**
 * Replaces a file at once: a reader sees the old bytes or the new ones, whatever happens. Its permissions stay.
 *
 * Durable on return, unless told that it need not be: what can be made again may be lost in a power failure, or empty
 * after it. After a failure the old file stands and no temporary file of ours is left, if the disk lets us.
 */
export async function replaceFile(
  disk: Disk,
  target: string,
  bytes: Uint8Array,
  options: NewFileOptions = { durable: true },
): Promise<void> {
  const temporary = temporaryName(target)
  await withTemporary(disk, temporary, async () => {
    await writeNewFile(disk, temporary, bytes, { permissions: { like: [target] }, ...options })
    await renameFile(disk, temporary, target)
  })
  if (options.durable) await disk.syncFolder(path.dirname(target))
}

/** Creates a file with its whole content at once; throws `exists` where something is. Durable on return. */
export async function createFile(
  disk: Disk,
  target: string,
  bytes: Uint8Array,
  permissions?: FilePermissions,
): Promise<void> {
  const temporary = temporaryName(target)
  await withTemporary(disk, temporary, async () => {
    await writeNewFile(disk, temporary, bytes, { durable: true, permissions })
    await moveToFreeName(disk, temporary, target)
  })
  await disk.syncFolder(path.dirname(target))
}

/**
 * Renames a file or folder, and replaces what is at `to`.
 *
 * A call can fail after the disk has done it, as on a network drive whose answer is lost: a failure counts only where the
 * new name does not lead to what had the old one.
 */
export async function renameFile(disk: Disk, from: string, to: string): Promise<void> {
  const moved = await disk.stat(from)
  try {
    await disk.rename(from, to)
  } catch (error) {
    if (
      moved === undefined ||
      !(await isAt(disk, to, moved.identity)) ||
      !(await isGone(disk, from))
    )
      throw error
  }
}

/** Gives a file a second name; throws `exists` where something is. A link that is there counts as made, as a rename does. */
export async function linkFile(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.link(from, to)
  } catch (error) {
    // Who finds the name taken has not made it, though both names lead to one file: somebody else was quicker.
    if (isNameTaken(error)) throw error
    const linked = await disk.stat(from).catch(() => undefined)
    if (linked === undefined || !(await isAt(disk, to, linked.identity))) throw error
  }
}

async function isAt(disk: Disk, target: string, identity: string): Promise<boolean> {
  return (await disk.stat(target).catch(() => undefined))?.identity === identity
}

/** By the folder's names: a look at the name follows links, and takes small letters for capitals on some disks. */
async function isGone(disk: Disk, target: string): Promise<boolean> {
  const names = await disk.list(path.dirname(target)).catch(() => undefined)
  return names?.includes(path.basename(target)) === false
}

/** Writes a file that is not there yet and syncs it; the folder is not synced. */
export async function writeNewFile(
  disk: Disk,
  target: string,
  bytes: Uint8Array,
  options: NewFileOptions = { durable: true },
): Promise<void> {
  const file = await disk.open(target, 'create-new', options.permissions)
  try {
    await writeAll(file, target, bytes)
    if (options.durable) await file.sync()
  } finally {
    await file.close()
  }
}

/**
 * Moves a file to a name that is free; throws `exists` where something is, and replaces nothing, ever.
 *
 * By a hard link, then the old name goes, if it is still the name of what was linked: a crash between them leaves both
 * names for one file (the same identity). The new name is durable before the old one goes, when asked. Where the file
 * system has no hard links, a check and a rename have to do.
 */
export async function moveToFreeName(
  disk: Disk,
  from: string,
  to: string,
  options: { readonly durable: boolean } = { durable: false },
): Promise<void> {
  if ((await linkOrMove(disk, from, to)) === 'moved') return
  if (options.durable) await disk.syncFolder(path.dirname(to))
  // A name of ours alone is nobody else's, however long we slept.
  if (isTemporaryName(path.basename(from))) return removeIfThere(disk, from)
  const linked = await disk.stat(to)
  await removeIfSame(disk, from, async (at) => isSameFile(linked, await disk.stat(at)))
}

/**
 * Gives a file a second name that is free, by a hard link; throws `exists` where something is. Where the file system has
 * no hard links the file is moved there, after a check.
 */
export async function linkOrMove(
  disk: Disk,
  from: string,
  to: string,
): Promise<'linked' | 'moved'> {
  try {
    await linkFile(disk, from, to)
    return 'linked'
  } catch (error) {
    if (isNameTaken(error) || isNotFound(error)) throw error
    if (error instanceof DiskError && error.code === 'no-space') throw error
    if (await disk.stat(to)) throw new DiskError('exists', to, `${to} is already there`, error)
    await renameFile(disk, from, to)
    return 'moved'
  }
}

/**
 * Unlinks a name that others give to files of their own, if it still is the file that is meant. Says whether it was.
 *
 * There is no unlink that looks first, and between a look and an unlink this process may sleep for an hour: so the file is
 * moved to a name that nobody else knows, looked at there, and put back where it is another's. Where another file has got
 * the name meanwhile, the moved one stays under its temporary name: nothing is removed that was not meant.
 *
 * @param isMeant looks at the file under the path that it is given
 */
export async function removeIfSame(
  disk: Disk,
  target: string,
  isMeant: (at: string) => Promise<boolean>,
): Promise<boolean> {
  if (!(await isMeant(target))) return false
  const aside = temporaryName(target)
  try {
    await renameFile(disk, target, aside)
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
  const wasMeant = await isMeant(aside)
  if (wasMeant || (await putBack(disk, aside, target))) await removeIfThere(disk, aside)
  return wasMeant
}

/** Gives a file that was moved aside its name again; false where something else has it by now. */
export async function putBack(disk: Disk, aside: string, target: string): Promise<boolean> {
  try {
    await linkOrMove(disk, aside, target)
    return true
  } catch (error) {
    if (isNameTaken(error) || isNotFound(error)) return false
    throw error
  }
}

/** Whether two looks saw one file. */
export function isSameFile(a: FileStat | undefined, b: FileStat | undefined): boolean {
  return a !== undefined && a.identity === b?.identity
}

/** Unlinks what may not be there. */
export async function removeIfThere(disk: Disk, target: string): Promise<void> {
  try {
    await disk.unlink(target)
  } catch (error) {
    if (!isNotFound(error) && !(await isGone(disk, target))) throw error
  }
}

export async function writeAll(file: DiskFile, target: string, bytes: Uint8Array): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const written = await file.write(bytes.subarray(done))
    if (written === 0) throw new DiskError('no-space', target, `${target} takes no more bytes`)
    done += written
  }
}

export async function withTemporary(
  disk: Disk,
  temporary: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    try {
      await removeIfThere(disk, temporary)
    } catch {
      // The first failure is what the caller must know; a left temporary file is ignored by every reader.
    }
    throw error
  }
}
