import { type LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { useLibraryState } from './context'

/** Returns the name under which a conversation is on the screen: its title in the library, else its key. */
export function useShownTitle(key: LibraryKey | undefined): string {
  const title = useLibraryState(
    ({ conversations }) => conversations.find((known) => known.key === key)?.title,
  )
  return title ?? (key === undefined ? '' : parseLibraryKey(key).key)
}
