import type { Entry } from '../../../shared/model/conversation/entry'
import type { OnGap } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { withContextFiles } from '../files/with-context-files'
import { readWindowEntries } from './window-entries'

/**
 * Reads a context window from the transcript: the last anchor, the earlier entries that it keeps, and what follows it.
 * Only reads, also while another process holds the lock.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export function readContextWindow(
  disk: Disk,
  home: string,
  name: string,
  onGap: OnGap,
): Promise<readonly Entry[]> {
  return withContextFiles({ disk, home, name }, async (found, paths) => {
    const entries: Entry[] = []
    for await (const entry of readWindowEntries({ disk, paths }, found, onGap)) entries.push(entry)
    return entries
  })
}
