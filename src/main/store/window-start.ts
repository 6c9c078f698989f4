import { EntryId } from '../../shared/model/entry'
import type { WindowStart } from '../../shared/model/transcript'
import type { Disk } from '../disk/disk'
import type { TranscriptFile } from './context-files'
import type { ContextPaths } from './home'
import { keptBy, windowStart } from './window'

/** Tells where a context's window begins; undefined where no anchor stands. Reads back to the last one. */
export async function readWindowStart(
  scope: { readonly disk: Disk; readonly paths: ContextPaths },
  files: readonly TranscriptFile[],
): Promise<WindowStart | undefined> {
  const { anchor, at } = await windowStart(scope, files)
  if (anchor === undefined) return undefined
  const before = files.slice(0, at.file).reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  return {
    anchor: anchor.id,
    bytesBefore: before + at.offset,
    kept: keptBy(anchor).flatMap((id) => EntryId.safeParse(id).data ?? []),
  }
}
