import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { isNotFound } from '../../disk/reading/read'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import type { RotationPolicy } from '../core/manifest'
import type { WritingScope } from '../core/writing-scope'
import { findContextFiles } from '../files/context-files'
import { FileMovedError } from '../lines/file-facts'
import { adoptStrayPartitions } from './adopt-strays'
import type { PartitionCount } from './partition-count'
import { assignPermanentName, releaseActiveName } from './partition-names'

/** Returns true where the active partition has reached one of its limits. */
export function isRotationDue(
  count: PartitionCount,
  policy: RotationPolicy,
  nowSeconds: number,
): boolean {
  if (count.entries === 0 || count.firstSeconds === undefined) return false
  return (
    count.entries >= Math.max(1, policy.maxEntries) ||
    (policy.maxTokens !== undefined && count.tokens >= Math.max(1, policy.maxTokens)) ||
    nowSeconds - count.firstSeconds >= Math.max(60, policy.maxAgeSeconds)
  )
}

/**
 * Archives the active partition under a name that was never used, then adds it to the manifest with its filter and
 * seal. `meant` is the identity of the file that is to be archived.
 *
 * Every line is durable before this, and stays in one file under one name or two. A crash after the link leaves a
 * stray partition, which the next writer adopts by the same steps; so does a process that was stopped here until
 * another took its lock, whatever it does when it wakes: no name that may hold another's lines is removed or replaced.
 *
 * @param fromSleeper somebody who is stopped may be about to write to it, or to archive it
 *
 * @throws FileMovedError another process has archived it, or made another one; AppError `lock-lost`; DiskError
 */
export async function rotatePartition(
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
  await makeDurableFolder(disk, paths.partitions)
  const span = `${count.firstSeconds ?? 0}-${count.lastSeconds ?? 0}`
  const { target, isOldNameGone } = await assignPermanentName(scope, active, span, fromSleeper)
  // Another's file keeps the name that we gave it, beside its own: that harms nothing.
  if (disk.statNow(target)?.identity !== meant)
    throw new FileMovedError(`${active} was replaced by another process`)
  await disk.syncFolder(paths.partitions)
  await scope.mustHold()
  if (!isOldNameGone) await releaseActiveName(scope, active, meant)
  // The old name goes for good with the manifest's own sync; until then both may come back, which is known by the identity.
  const found = await findContextFiles(disk, scope.home, paths)
  if (found) await adoptStrayPartitions(scope, found, { path: target, mayGrow: fromSleeper })
}

/** @throws FileMovedError */
async function isLink(disk: Disk, target: string): Promise<boolean> {
  try {
    const folder = await disk.realPath(path.dirname(target))
    return (await disk.realPath(target)) !== path.join(folder, path.basename(target))
  } catch (error) {
    if (isNotFound(error)) throw new FileMovedError(`${target} went away`)
    throw error
  }
}
