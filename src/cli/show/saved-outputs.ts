import type { Disk } from '../../main/disk/interface/disk'
import type { SourceRef } from '../../main/readers/common/reader'
import { filledEntry } from '../../main/readers/filled-output'
import { readers } from '../../main/readers/index'
import type { Entry } from '../../shared/model/conversation/entry'
import { savedOutputNote, savedOutputOf } from '../../shared/model/conversation/tool-results'

/**
 * Creates a function that returns an entry with the output that its system saved beside the conversation in its content.
 *
 * @param note gets a sentence for an output that is not there, or not whole
 */
export function entryWithOutput(
  disk: Disk,
  { source, root }: Pick<SourceRef, 'source' | 'root'>,
  note: (words: string) => void,
): (entry: Entry) => Promise<Entry> {
  const reader = readers.find(({ id }) => id === source)
  return async (entry) => {
    if (reader === undefined) return entry
    const filled = await filledEntry(disk, { reader, root }, entry)
    const saved = savedOutputOf(filled)
    const words = saved === undefined ? undefined : savedOutputNote(saved)
    if (words !== undefined) note(words)
    return filled
  }
}
