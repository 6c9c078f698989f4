import { useMemo } from 'react'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import { tagsInUse } from '../../shared/model/conversation/tag'
import { useLibraryState } from './context'

/** Returns the tags that a conversation has now; undefined where it has none. */
export function useTagsOf(key: LibraryKey): readonly string[] | undefined {
  return useLibraryState(({ conversations }) => conversations.find((one) => one.key === key)?.tags)
}

/** Returns the tags of all conversations with their counts, most frequent first; the same list until the library changes. */
export function useTagsInUse(): ReturnType<typeof tagsInUse> {
  const conversations = useLibraryState((state) => state.conversations)
  return useMemo(() => tagsInUse(conversations), [conversations])
}
