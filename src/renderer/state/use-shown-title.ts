import { visibleText } from '../../shared/model/basics/visible'
import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { useLibraryState } from './context'

/** Returns the title of a conversation as shown: the library's, else its key; with its controls made visible. */
export function useShownTitle(key: LibraryKey | undefined): string {
  const title = useLibraryState(
    ({ conversations }) => conversations.find((known) => known.key === key)?.title,
  )
  return visibleText(title ?? (key === undefined ? '' : parseLibraryKey(key).key))
}
