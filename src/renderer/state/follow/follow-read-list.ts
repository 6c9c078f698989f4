import { isReadList } from '../../../shared/model/lists/smart-lists'
import type { LibraryStore } from '../library/library'
import type { ReadListStore } from '../library/read-list'

/** Reads for the smart list that the library shows. Returns a function that stops it. */
export function followReadList({
  library,
  readList,
}: {
  readonly library: LibraryStore
  readonly readList: ReadListStore
}): () => void {
  function follow(): void {
    const { list, phase } = library.getState()
    // Not before the list is there: reading for it must not make it wait.
    const wanted = phase === 'ready' && list !== undefined && isReadList(list) ? list : undefined
    if (readList.getState().list !== wanted) readList.getState().follow(wanted)
  }
  return library.subscribe((now, before) => {
    if (now.list !== before.list || now.phase !== before.phase) follow()
  })
}
