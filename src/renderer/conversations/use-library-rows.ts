import { useMemo } from 'react'
import type { ConversationSummary } from '../../shared/model/conversation/conversation'
import { useContexts, useLayout, useLibraryState } from '../state/context'
import { filterByArchived, filterBySource, filterByTag, filterByTitle } from './filters'
import { groupRows, type LibraryRow, sortByTitle } from './groups'

/** The conversations of the shelf that is shown: those that are put away, or all others. */
export function useListedConversations(): readonly ConversationSummary[] {
  const conversations = useLibraryState((state) => state.conversations)
  const archived = useContexts((state) => state.archived)
  const showsArchived = useContexts((state) => state.showsArchived)
  return useMemo(
    () => filterByArchived(conversations, archived, showsArchived),
    [conversations, archived, showsArchived],
  )
}

/** The rows of the library as it is filtered and grouped now; made anew only when one of that changes. */
export function useLibraryRows(nowMs: number): readonly LibraryRow[] {
  const conversations = useListedConversations()
  const filter = useLibraryState((state) => state.filter)
  const source = useLibraryState((state) => state.source)
  const tag = useLibraryState((state) => state.tag)
  const grouping = useLayout((state) => state.grouping)
  // Dates alone go on with the clock.
  const atMs = grouping === 'date' ? nowMs : 0
  // Sorted before it is filtered: a letter that is typed sorts nothing again.
  const ordered = useMemo(
    () => (grouping === 'title' ? sortByTitle(conversations) : conversations),
    [conversations, grouping],
  )
  return useMemo(
    () =>
      groupRows(
        filterByTitle(filterByTag(filterBySource(ordered, source), tag), filter),
        grouping,
        atMs,
      ),
    [ordered, source, tag, filter, grouping, atMs],
  )
}
