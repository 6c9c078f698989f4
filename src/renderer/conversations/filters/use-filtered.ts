import { useMemo } from 'react'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { useContexts, useLayout, useLibraryState, useReadList } from '../../state/context'
import { sortLibrary } from '../order/groups'
import {
  filterByArchived,
  filterByList,
  filterByPick,
  filterByProject,
  filterBySource,
  filterByTag,
  filterByTitle,
} from './filters'

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

/** Returns the conversations that the filters of the library leave now, in its order; the same array until one of these changes. */
export function useFilteredConversations(nowMs: number): readonly ConversationSummary[] {
  const conversations = useListedConversations()
  const filter = useLibraryState((state) => state.filter)
  const source = useLibraryState((state) => state.source)
  const tag = useLibraryState((state) => state.tag)
  const project = useLibraryState((state) => state.project)
  const list = useLibraryState((state) => state.list)
  const found = useReadList((state) => (state.list === list ? state.keys : undefined))
  const isByTitle = useLayout((state) => state.grouping === 'title')
  const sort = useLayout((state) => (isByTitle ? 'title' : state.sort))
  // Only one list depends on the clock.
  const atMs = list === 'today' ? nowMs : 0
  // Sorted before it is filtered: a letter that is typed sorts nothing again.
  const ordered = useMemo(() => sortLibrary(conversations, sort), [conversations, sort])
  const narrowed = useMemo(() => {
    const ofList = filterByList(ordered, list, atMs, found)
    return filterByTag(filterBySource(filterByProject(ofList, project), source), tag)
  }, [ordered, list, atMs, found, project, source, tag])
  return useMemo(() => filterByTitle(narrowed, filter), [narrowed, filter])
}

/** Returns true where a filter leaves conversations out. */
export function useIsNarrowed(): boolean {
  return useLibraryState(
    ({ filter, source, tag, project, list, picked }) =>
      filter !== '' || [source, tag, project, list, picked].some((one) => one !== undefined),
  )
}
