import { randomBytes } from 'node:crypto'
import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { isNameTaken } from '../../disk/reading/read'
import {
  moveToFreeName,
  removeIfSame,
  removeIfThere,
  temporaryName,
  writeNewFile,
} from '../../disk/writing/atomic'
import {
  heldTokens,
  inspectLock,
  isSameVersion,
  type LockOptions,
  type LockPaths,
  type LockVersion,
  lockPaths,
  readLock,
  writeLockOwners,
} from './lock-files'

/** A lock file that this process holds. */
export interface TakenLock {
  /** In the side file. */
  readonly token: string
  readonly version: LockVersion
  /** It was taken from a process that may be stopped in the middle of a write, and end it when it wakes. */
  readonly fromSleeper: boolean
}

/**
 * Takes the lock under the gate: checks it again, records its owner in the side file, moves a stale lock aside, and
 * gives ours its name. Wherever this process dies in between, the side file names the owner of any lock that is left.
 * Resolves to undefined while another process holds it, also where chibi was quicker.
 *
 * @returns undefined while another process has it
 */
export async function acquireLockFile(options: LockOptions): Promise<TakenLock | undefined> {
  const { disk, folder, now } = options
  const paths = lockPaths(folder)
  const inspection = await inspectLock(options)
  if (inspection.type === 'held' || inspection.type === 'blocked') return undefined
  const token = randomBytes(8).toString('hex')
  const temporary = temporaryName(paths.lock)
  let isOurs = false
  heldTokens.add(token)
  try {
    const next = await writeLockVersion(disk, temporary, Math.floor(now() / 1000))
    // Before the lock has its name. The stale one is ours from now on too: where we die, it is free at once.
    const stale = inspection.type === 'stale' ? inspection.seen : undefined
    await writeLockOwners(disk, paths, token, stale === undefined ? [next] : [stale, next])
    isOurs =
      (stale === undefined || (await removeStale(disk, paths, stale))) &&
      (await isNamed(disk, temporary, paths.lock))
    const fromSleeper = inspection.type === 'stale' && inspection.mayWake
    return isOurs ? { token, version: next, fromSleeper } : undefined
  } finally {
    if (!isOurs) {
      heldTokens.delete(token)
      await removeIfThere(disk, temporary).catch(() => undefined)
      // It names no lock that exists; under the gate it is no other process's.
      await removeIfThere(disk, paths.side).catch(() => undefined)
    }
  }
}

/** chibi takes no gate, so it may have been quicker: then its lock stays. Returns whether ours may take the name. */
async function removeStale(disk: Disk, paths: LockPaths, stale: LockVersion): Promise<boolean> {
  const isStale = async (at: string) => {
    const found = await readLock(disk, at)
    return found !== undefined && isSameVersion(found, stale)
  }
  return (await removeIfSame(disk, paths.lock, isStale)) || !(await disk.stat(paths.lock))
}

/**
 * Resolves to true where the lock's name is a link to nothing: then it is taken, and nothing can be read. A lock that
 * is made or removed at this moment may look so once.
 */
export async function isDanglingLock(disk: Disk, folder: string): Promise<boolean> {
  const { lock } = lockPaths(folder)
  const isNamed = (await disk.list(folder)).includes(path.basename(lock))
  return isNamed && (await disk.stat(lock)) === undefined
}

async function isNamed(disk: Disk, temporary: string, lock: string): Promise<boolean> {
  try {
    await moveToFreeName(disk, temporary, lock)
    return true
  } catch (error) {
    if (isNameTaken(error)) return false
    throw error
  }
}

/** Writes the file that is to become the lock, durably. */
export async function writeLockVersion(
  disk: Disk,
  target: string,
  value: number,
): Promise<LockVersion> {
  await writeNewFile(disk, target, Buffer.from(String(value)))
  const stat = await disk.stat(target)
  return { identity: stat?.identity ?? '', value }
}
