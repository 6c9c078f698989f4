import { EntryId } from '../../../shared/model/conversation/entry'
import { handleGaps } from '../../../shared/model/conversation/reading'
import type { WindowStart } from '../../../shared/model/conversation/transcript'
import type { Disk } from '../../disk/interface/disk'
import type { ContextPaths } from '../core/home-paths'
import type { TranscriptFiles } from '../files/context-files'
import { findWindowStart, keptEntryIds } from './window-entries'

/**
 * Finds where a context window begins; undefined where there is no anchor. Reads back to the last one.
 *
 * @throws AppError `unreadable` a file is missing in which a later one may stand; FileMovedError, DiskError
 */
export async function readWindowStart(
  scope: { readonly disk: Disk; readonly paths: ContextPaths },
  { files, missing }: TranscriptFiles,
): Promise<WindowStart | undefined> {
  const { anchor, at } = await findWindowStart(scope, files)
  const later = missing.filter(({ before }) => anchor === undefined || before > at.file)
  handleGaps(
    scope.paths.name,
    later.map(({ part }) => part),
    'refuse',
  )
  if (anchor === undefined) return undefined
  const before = files.slice(0, at.file).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    anchor: anchor.id,
    bytesBefore: before + at.offset,
    kept: keptEntryIds(anchor).flatMap((id) => EntryId.safeParse(id).data ?? []),
  }
}
