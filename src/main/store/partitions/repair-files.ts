import { makeNamesDurable } from '../../disk/writing/durable-folder'
import type { WritingScope } from '../core/writing-scope'
import type { ContextFiles } from '../files/context-files'
import { adoptStrayPartitions } from './adopt-strays'
import { releaseActiveName, removeSpareName } from './partition-names'

/**
 * Repairs what an interrupted rotation left: adopts strays, removes second names, rewrites a damaged manifest. Mostly
 * there is nothing to do.
 *
 * @throws FileMovedError, AppError `lock-lost`, DiskError
 */
export async function repairFiles(
  scope: WritingScope,
  look: () => Promise<ContextFiles>,
): Promise<ContextFiles> {
  const found = await look()
  const { halfMoved, spares, strays } = found
  if (halfMoved === undefined && spares.length === 0 && strays.length === 0) {
    if (found.manifest.type !== 'damaged') return found
  }
  for (const notice of found.notices) scope.noticed(notice)
  await scope.mustHold()
  // Whoever made the names that stay may not have lived to sync them.
  if (halfMoved !== undefined || spares.length > 0) {
    await makeNamesDurable(scope.disk, scope.paths.partitions)
    for (const folder of [scope.paths.transcript, scope.paths.partitions])
      await scope.disk.syncFolder(folder)
  }
  for (const spare of spares) await removeSpareName(scope.disk, spare)
  // The move had linked the new name and not yet taken the old one away.
  if (halfMoved !== undefined) {
    const active = found.activePath
    await releaseActiveName(scope, active, halfMoved.identity)
    await scope.disk.syncFolder(scope.paths.transcript)
  }
  await adoptStrayPartitions(scope, await look())
  return look()
}
