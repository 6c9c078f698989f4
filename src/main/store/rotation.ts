import path from 'node:path'
import { moveToFree } from '../disk/atomic'
import { isTaken } from '../disk/read'
import { adoptPartitions } from './adopt'
import { findFiles } from './context-files'
import type { StoragePolicy } from './manifest'
import type { PartitionCount } from './partition-count'
import { sidecarOf } from './sidecar'
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
 * seal.
 *
 * Every line is durable before this, and stays in one file under one name or two. A crash after the move leaves a stray
 * partition, which the next writer adopts by the same steps.
 */
export async function rotate(
  scope: WritingScope,
  active: string,
  count: PartitionCount,
): Promise<void> {
  const { disk, paths } = scope
  if ((await disk.stat(paths.partitions)) === undefined) {
    await disk.makeFolder(paths.partitions)
    await disk.syncFolder(paths.transcript)
  }
  const span = `${count.firstSeconds ?? 0}-${count.lastSeconds ?? 0}`
  const archived = await moveToPartitions(scope, active, span)
  // The old name goes for good with the manifest's own sync; until then both may come back, which is known by the identity.
  const found = await findFiles(disk, scope.home, paths)
  if (found) await adoptPartitions(scope, found, archived)
}

async function moveToPartitions(
  scope: WritingScope,
  active: string,
  span: string,
): Promise<string> {
  const { disk, paths } = scope
  for (let n = 1; ; n++) {
    const target = path.join(paths.partitions, `${span}${n === 1 ? '' : `-${n}`}.jsonl`)
    // A filter without its partition was left by somebody; this partition must not seem to be the one it was made of.
    if (await disk.stat(sidecarOf(target))) continue
    try {
      await moveToFree(disk, active, target, { durable: true })
      return target
    } catch (error) {
      if (!isTaken(error)) throw error
    }
  }
}
