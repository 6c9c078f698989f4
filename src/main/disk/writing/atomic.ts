import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Disk, DiskFile, FileStat } from '../interface/disk'
import { DiskError } from '../interface/disk'
import type { FilePermissions } from '../interface/permissions'
import { isNameTaken, isNotFound } from '../reading/read'

/**
 * Returns a new name for a file that is being written, in chibi's form: the extension replaced by `tmp.<u32>`. Readers
 * of a home ignore such names.
 */
export function temporaryName(target: string): string {
  const { dir, name } = path.parse(target)
  return path.join(dir, `${name}.tmp.${randomBytes(4).readUInt32LE()}`)
}

/** Returns true for a name that `temporaryName` gives: a file that an atomic write left behind. */
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
 * Durable on return, except with `durable: false`: then a power failure may lose the new bytes or leave the file
 * empty. After a failure the old file is unchanged, and our temporary file is removed if the disk allows it.
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

/**
 * Creates a file with its whole content at once; throws DiskError `exists` where the name is taken. Durable on return.
 */
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
 * A call can fail after the disk has done it, as on a network drive whose answer is lost: a failure counts only where
 * the new name does not lead to what had the old one.
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

/**
 * Gives a file a second name; throws DiskError `exists` where the name is taken. A failure counts only where the link
 * was not made, as with `renameFile`.
 */
export async function linkFile(disk: Disk, from: string, to: string): Promise<void> {
  try {
    await disk.link(from, to)
  } catch (error) {
    // Where the name is taken, this call did not make it, though both names lead to one file: another process was quicker.
    if (isNameTaken(error)) throw error
    const linked = await disk.stat(from).catch(() => undefined)
    if (linked === undefined || !(await isAt(disk, to, linked.identity))) throw error
  }
}

async function isAt(disk: Disk, target: string, identity: string): Promise<boolean> {
  return (await disk.stat(target).catch(() => undefined))?.identity === identity
}

/** By the folder's names: a `stat` follows links, and on some disks ignores case. */
async function isGone(disk: Disk, target: string): Promise<boolean> {
  const names = await disk.list(path.dirname(target)).catch(() => undefined)
  return names?.includes(path.basename(target)) === false
}

/**
 * Writes a new file and syncs it, except with `durable: false`; throws DiskError `exists` where the name is taken. The
 * folder is not synced.
 */
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
 * Moves a file to a free name; throws DiskError `exists` where it is taken, and never replaces anything.
 *
 * It makes a hard link, then removes the old name if that still leads to the linked file: a crash between the two
 * leaves both names for one file (the same identity). Before the old name goes the new one is durable, except that of a
 * temporary file, which nobody knows yet: its caller syncs the folder.
 * Where the file system has no hard links, it checks the name and renames.
 */
export async function moveToFreeName(disk: Disk, from: string, to: string): Promise<void> {
  if ((await linkOrMove(disk, from, to)) === 'moved') return
  // A name of ours alone is nobody else's, however long we slept.
  if (isTemporaryName(path.basename(from))) return removeIfThere(disk, from)
  await disk.syncFolder(path.dirname(to))
  const linked = await disk.stat(to)
  await removeIfSame(disk, from, async (at) => isSameFile(linked, await disk.stat(at)))
}

/**
 * Gives a file a second, free name by a hard link; throws DiskError `exists` where it is taken. Where the file system
 * has no hard links, it moves the file there after a check.
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
 * Unlinks a name that others also use, if it still leads to the file that is meant. Resolves to whether it did.
 *
 * No system call unlinks a file on a condition, and between a check and an unlink this process may sleep for an hour:
 * so the file is renamed to a name that nobody else knows, checked there, and put back where it is another's. Where
 * another file has taken the name meanwhile, the renamed one stays under its temporary name: nothing is removed that
 * was not meant. A check that fails there throws, and the file has its name again.
 *
 * @param isMeant checks the file at the path that it gets
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
  let wasMeant = false
  try {
    wasMeant = await isMeant(aside)
  } finally {
    if (wasMeant || (await putBack(disk, aside, target))) await removeIfThere(disk, aside)
  }
  return wasMeant
}

/**
 * Gives a file that was moved aside its name again; resolves to false where the name is taken by now, or the file is
 * gone.
 */
export async function putBack(disk: Disk, aside: string, target: string): Promise<boolean> {
  try {
    await linkOrMove(disk, aside, target)
    return true
  } catch (error) {
    if (isNameTaken(error) || isNotFound(error)) return false
    throw error
  }
}

/** Returns true where both stats exist and are of one file. */
export function isSameFile(a: FileStat | undefined, b: FileStat | undefined): boolean {
  return a !== undefined && a.identity === b?.identity
}

/** Unlinks a file; does nothing where it is not there. */
export async function removeIfThere(disk: Disk, target: string): Promise<void> {
  try {
    await disk.unlink(target)
  } catch (error) {
    if (!isNotFound(error) && !(await isGone(disk, target))) throw error
  }
}

/**
 * Writes all bytes at the end of an open file, in as many writes as it takes. Throws DiskError `no-space` where the
 * disk takes no more.
 */
export async function writeAll(
  file: Pick<DiskFile, 'write'>,
  target: string,
  bytes: Uint8Array,
): Promise<void> {
  let done = 0
  while (done < bytes.length) {
    const written = await file.write(bytes.subarray(done))
    if (written === 0) throw new DiskError('no-space', target, `${target} takes no more bytes`)
    done += written
  }
}

/** Does the work and, where it fails, removes the temporary file before it throws the work's error. */
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
