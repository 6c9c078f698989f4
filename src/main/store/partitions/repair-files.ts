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
