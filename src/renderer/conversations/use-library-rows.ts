import { useMemo } from 'react'
import type { ConversationSummary } from '../../shared/model/conversation/conversation'
import { useContexts, useFamilies, useLayout, useLibraryState } from '../state/context'
import {
  filterByArchived,
  filterByPick,
  filterBySource,
  filterByTag,
  filterByTitle,
} from './filters'
import { groupRows, type LibraryRow, sortByTitle } from './groups'

/** Returns the conversations of the list that is shown: those that a view picked, else the archived ones, or all others. */
export function useListedConversations(): readonly ConversationSummary[] {
  const conversations = useLibraryState((state) => state.conversations)
  const archived = useContexts((state) => state.archived)
  const showsArchived = useContexts((state) => state.showsArchived)
  const picked = useLibraryState((state) => state.picked)
  return useMemo(
    () =>
      picked === undefined
        ? filterByArchived(conversations, archived, showsArchived)
        : filterByPick(conversations, picked.keys),
    [conversations, archived, showsArchived, picked],
  )
}

/** Returns the rows of the library as filtered and grouped now; the same array until one of these changes. */
export function useLibraryRows(nowMs: number): readonly LibraryRow[] {
  const conversations = useListedConversations()
  const filter = useLibraryState((state) => state.filter)
  const source = useLibraryState((state) => state.source)
  const tag = useLibraryState((state) => state.tag)
  const grouping = useLayout((state) => state.grouping)
  const isPicked = useLibraryState((state) => state.picked !== undefined)
  // Each of those that were picked is seen: a mark says how many they are.
  const joinsFamilies = useLayout((state) => state.joinsFamilies) && !isPicked
  const familyOf = useFamilies((state) => state.familyOf)
  const open = useFamilies((state) => state.open)
  // Only groups of dates depend on the clock.
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
        joinsFamilies ? { familyOf, open } : undefined,
      ),
    [ordered, source, tag, filter, grouping, atMs, joinsFamilies, familyOf, open],
  )
}
