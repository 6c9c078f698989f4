import type { Entry } from '../../../shared/model/conversation/entry'
import type { Disk } from '../../disk/interface/disk'
import { markDirty } from '../context-window/clear'
import type { ContextPaths } from '../core/home-paths'
import type { AppendedEntry } from '../core/writer-types'
import type { WritingScope } from '../core/writing-scope'
import { findContextFiles } from '../files/context-files'
import { cursorAt } from '../lines/cursor'
import type { ActivePartition, WrittenLine } from '../partitions/active-partition'
import { recordLateWrite } from '../partitions/seals'

/**
 * Finds an entry that was written to a file which is not the active one any more, or which others have changed. It is
 * durable there: where readers find it, it counts as appended, and one that follows a seal is recorded, so that the
 * seal is valid.
 *
 * @returns undefined where it is in no file of the context
 * @throws DiskError
 */
export async function findLateEntry(
  { disk, home, paths }: WritingScope,
  active: ActivePartition,
  written: WrittenLine,
): Promise<AppendedEntry | undefined> {
  for (let tries = 0; tries < 3; tries++) {
    // Between the names and the files of one search the file may have got another name.
    const { files = [] } = (await findContextFiles(disk, home, paths, 'never')) ?? {}
    const found = await active.find(files, written)
    if (found === undefined) continue
    const { file, entry } = found
    if (file.kind === 'partition') await recordLate(disk, paths, entry, written)
    // Where it is an anchor, or another has settled the window meanwhile, that lacks it.
    await markDirty(disk, paths)
    const end = entry.offset + entry.length + 1
    return { entry, after: cursorAt(file, end, entry.line + 1) }
  }
  return undefined
}

/** Records what a late write added to a partition: its line, and the line feeds around it. */
function recordLate(disk: Disk, paths: ContextPaths, entry: Entry, written: WrittenLine) {
  const before = written.afterTorn ? 1 : 0
  const bytes = Buffer.concat([Buffer.alloc(before, '\n'), written.line, Buffer.from('\n')])
  return recordLateWrite(disk, paths, entry.offset - before, bytes)
}
