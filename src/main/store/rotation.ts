import path from 'node:path'
import type { Disk } from '../disk/disk'
import { isNotFound } from '../disk/read'
import { adoptPartitions } from './adopt'
import { findFiles } from './context-files'
import { FileMoved } from './file-facts'
import type { StoragePolicy } from './manifest'
import type { PartitionCount } from './partition-count'
import { nameForGood, takeActiveName } from './partition-names'
import type { WritingScope } from './writing'

/** Whether the active partition has reached one of its limits. */
export function isDue(count: PartitionCount, policy: StoragePolicy, nowSeconds: number): boolean {
  if (count.entries === 0 || count.firstSeconds === undefined) return false
  return (
    count.entries >= Math.max(1, policy.maxEntries) ||
    (policy.maxTokens !== undefined && count.tokens >= Math.max(1, policy.maxTokens)) ||
    nowSeconds - count.firstSeconds >= Math.max(60, policy.maxAgeSeconds)
  )
}

/**
 * Archives the active partition under a name that was never used, then takes it into the manifest with its filter and
 * seal. `meant` is the identity of the file that is to be archived.
 *
 * Every line is durable before this, and stays in one file under one name or two. A crash after the link leaves a stray
 * partition, which the next writer adopts by the same steps; so does a process that was stopped here until its lock was
 * another's, whatever it does when it wakes: no name that can hold another's lines is removed or replaced.
 *
 * @param fromSleeper somebody who is stopped may be about to write to it, or to archive it
 * @throws FileMoved another process has archived it, or made another one; AppError `lock-lost`; DiskError
 */
export async function rotate(
  scope: WritingScope,
  active: string,
  count: PartitionCount,
  meant: string | undefined,
  fromSleeper = false,
): Promise<void> {
  const { disk, paths } = scope
  await scope.mustHold()
  // A link is relative to where it is: among the partitions it would lead elsewhere.
  if (await isLink(disk, active)) throw new Error(`${path.basename(active)} is a link`)
  if ((await disk.stat(paths.partitions)) === undefined) {
    await disk.makeFolder(paths.partitions)
    await disk.syncFolder(paths.transcript)
  }
  const span = `${count.firstSeconds ?? 0}-${count.lastSeconds ?? 0}`
  const { target, isOldNameGone } = await nameForGood(scope, active, span, fromSleeper)
  // Another's file keeps the name that we gave it, beside its own: that harms nothing.
  if (disk.statNow(target)?.identity !== meant)
    throw new FileMoved(`${active} was replaced by another process`)
  await disk.syncFolder(paths.partitions)
  await scope.mustHold()
  if (!isOldNameGone) await takeActiveName(scope, active, meant)
  // The old name goes for good with the manifest's own sync; until then both may come back, which is known by the identity.
  const found = await findFiles(disk, scope.home, paths)
  if (found) await adoptPartitions(scope, found, { path: target, mayGrow: fromSleeper })
}

/** @throws FileMoved */
async function isLink(disk: Disk, target: string): Promise<boolean> {
  try {
    const folder = await disk.realPath(path.dirname(target))
    return (await disk.realPath(target)) !== path.join(folder, path.basename(target))
  } catch (error) {
    if (isNotFound(error)) throw new FileMoved(`${target} went away`)
    throw error
  }
}
