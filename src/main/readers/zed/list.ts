import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { findRoot, sortedNamesIn } from '../common/found-files'
import type { SourceRef } from '../common/reader'
import { conversationsIn } from '../common/rows/listed-conversations'
import { zedHead } from './head'
import { threadFormat } from './thread-records'

/** The folder of threads, in Zed's folder of data. */
export const threadsFolder = 'threads'
const databaseName = 'threads.db'

/**
 * Lists the threads under a root: Zed's folder of data, the folder of threads, or a database. One in which nothing was said is none.
 *
 * @throws AppError `unreadable`
 */
export async function* listZed(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  signal.throwIfAborted()
  const [folder, database] =
    top.type === 'file' ? [top.folder, top.found.name] : [root, await databaseIn(root, disk)]
  if (!database.endsWith('.db')) return
  const by = { source: 'zed', format: threadFormat, headOf: zedHead } as const
  const { refs, fault } = await conversationsIn(by, folder, database, disk)
  yield* refs
  if (fault !== undefined) throw fault
}

async function databaseIn(root: string, disk: Disk): Promise<string> {
  const names = await sortedNamesIn(disk, root)
  return names.includes(threadsFolder) ? path.posix.join(threadsFolder, databaseName) : databaseName
}
