import type { Disk } from '../../disk/interface/disk'
import { findRoot, sortedNamesIn } from '../common/found-files'
import type { SourceRef } from '../common/reader'
import { conversationsIn } from '../common/rows/listed-conversations'
import { logHead } from './head'
import { logFormat } from './log-records'

const databaseName = 'logs.db'

/**
 * Lists the conversations in a log: `logs.db` in llm's own folder, or a database of any name.
 *
 * @throws AppError `unreadable` the database cannot be listed; what can be read of it is listed before
 */
export async function* listLog(
  root: string,
  disk: Disk,
  signal: AbortSignal,
): AsyncGenerator<SourceRef> {
  const top = await findRoot(disk, root)
  if (top === undefined) return
  const [folder, name] = top.type === 'file' ? [top.folder, top.found.name] : [root, databaseName]
  if (top.type === 'folder' && !(await sortedNamesIn(disk, root)).includes(name)) return
  signal.throwIfAborted()
  const system = { source: 'llm', format: logFormat, headOf: logHead } as const
  const { refs, fault } = await conversationsIn(system, folder, name, disk)
  yield* refs
  if (fault !== undefined) throw fault
}
