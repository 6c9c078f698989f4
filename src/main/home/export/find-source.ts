import { type LibraryKey, parseLibraryKey } from '../../../shared/model/conversation/conversation'
import { conversationNotFound } from '../../library/library'
import { type Histories, stampOf } from '../../library/sources/histories'
import { chibiReader } from '../../readers/chibi'
import type { Store } from '../../store/store'
import type { ExportSource } from './exported'

/**
 * Finds a conversation as it is now, with the reader of its format.
 *
 * @param store undefined where other systems' histories alone are read
 * @throws AppError `not-found`, `unreadable`
 */
export async function findExportSource(
  { store, histories }: { readonly store: Store | undefined; readonly histories: Histories },
  key: LibraryKey,
): Promise<ExportSource> {
  const { source, key: name } = parseLibraryKey(key)
  if (source !== 'chibi' || store === undefined) {
    const history = await histories.now(key)
    if (history === undefined) throw conversationNotFound(histories, key)
    return { ...history, stamp: stampOf(history.ref) }
  }
  const listing = await store.findContext(name)
  if (listing === undefined) throw conversationNotFound(histories, key)
  const { bytes, updatedAtMs, createdAt } = listing
  const ref = { source, root: store.home, key: name, files: [], bytes, updatedAtMs } as const
  // Its time of creation is in the home's own records, not in its files.
  const stamp = listing.stamp === undefined ? undefined : `${listing.stamp} ${createdAt ?? ''}`
  return { reader: chibiReader, ref, stamp }
}
