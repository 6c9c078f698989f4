import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { Disk } from '../../disk/interface/disk'
import { chibiReader } from '../../readers/chibi'
import type { HistoryReader, SourceRef } from '../../readers/common/reader'
import { openStore } from '../../store/open-store'
import { type Histories, stampOf } from '../sources/histories'

/** A conversation as it was listed: all that it takes to read it, and to tell whether it changed. */
export interface ConversationUnit {
  readonly key: LibraryKey
  readonly reader: HistoryReader
  readonly ref: SourceRef
  /** Another one whenever it changed: identity, size and time of its files. */
  readonly stamp: string
}

/**
 * Lists every conversation of a home and of other systems, by names, sizes and times.
 *
 * @throws AppError `unreadable`
 */
export async function listUnits(
  disk: Disk,
  home: string,
  histories: Histories,
  signal: AbortSignal,
): Promise<ReadonlyMap<LibraryKey, ConversationUnit>> {
  const units = new Map<LibraryKey, ConversationUnit>()
  for (const { name, bytes, updatedAtMs, stamp } of await openStore({ home, disk }).listContexts(
    signal,
  )) {
    const key = libraryKeyOf('chibi', name)
    const ref: SourceRef = { source: 'chibi', root: home, key: name, files: [], bytes, updatedAtMs }
    units.set(key, { key, reader: chibiReader, ref, stamp: stamp ?? `${bytes} ${updatedAtMs}` })
  }
  for (const { key, reader, ref } of await histories.list(signal)) {
    const { bytes, updatedAtMs } = ref
    units.set(key, { key, reader, ref, stamp: stampOf(ref) ?? `${bytes} ${updatedAtMs}` })
  }
  return units
}
