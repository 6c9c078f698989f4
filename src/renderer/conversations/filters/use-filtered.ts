import { useMemo } from 'react'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import { useContexts, useLayout, useLibraryState, useReadList } from '../../state/context'
import { sortLibrary } from '../order/groups'
import {
  filterByArchived,
  filterByColor,
  filterByHidden,
  filterByList,
  filterByPick,
  filterByProject,
  filterBySource,
  filterByTag,
  filterByTitle,
} from './filters'

/** Returns the archived conversations while these are shown, else all others, whatever a view picked. */
export function useUnpickedConversations(): readonly ConversationSummary[] {
  const conversations = useLibraryState((state) => state.conversations)
  const archived = useContexts((state) => state.archived)
  const showsArchived = useContexts((state) => state.showsArchived)
  return useMemo(
    () => filterByArchived(conversations, archived, showsArchived),
    [conversations, archived, showsArchived],
  )
}

/** Returns the conversations of the list that is shown: those that a view picked, the hidden ones, else the archived ones, or all others. */
export function useListedConversations(): readonly ConversationSummary[] {
  const conversations = useLibraryState((state) => state.conversations)
  const unpicked = useUnpickedConversations()
  const picked = useLibraryState((state) => state.picked)
  const showsHidden = useLibraryState((state) => state.list === 'hidden')
  return useMemo(() => {
    if (picked !== undefined) return filterByPick(conversations, picked.keys)
    return showsHidden ? filterByHidden(conversations, true) : filterByHidden(unpicked, false)
  }, [conversations, unpicked, picked, showsHidden])
}

const none: readonly ConversationSummary[] = []

/**
 * Returns the conversations that the filters of the library leave now, in its order; the same array until one of these changes.
 * @param isNeeded returns none, and sorts and filters nothing, where it is false
 */
export function useFilteredConversations(
  nowMs: number,
  isNeeded = true,
): readonly ConversationSummary[] {
  const listed = useListedConversations()
  const conversations = isNeeded ? listed : none
  const filter = useLibraryState((state) => state.filter)
  const source = useLibraryState((state) => state.source)
  const tag = useLibraryState((state) => state.tag)
  const color = useLibraryState((state) => state.color)
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
    const ofColor = filterByColor(ofList, color)
    return filterByTag(filterBySource(filterByProject(ofColor, project), source), tag)
  }, [ordered, list, atMs, found, project, source, tag, color])
  return useMemo(() => filterByTitle(narrowed, filter), [narrowed, filter])
}

/** Returns how many hidden conversations fit the filters of the library, which "Hidden" in Lists would show; 0 while a list or a pick is shown. */
export function useHiddenMatches(): number {
  const conversations = useLibraryState((state) => state.conversations)
  const filter = useLibraryState((state) => state.filter)
  const source = useLibraryState((state) => state.source)
  const tag = useLibraryState((state) => state.tag)
  const color = useLibraryState((state) => state.color)
  const project = useLibraryState((state) => state.project)
  const isOther = useLibraryState(({ list, picked }) => list !== undefined || picked !== undefined)
  return useMemo(() => {
    if (isOther) return 0
    const ofColor = filterByColor(filterByHidden(conversations, true), color)
    const narrowed = filterByTag(filterBySource(filterByProject(ofColor, project), source), tag)
    return filterByTitle(narrowed, filter).length
  }, [conversations, filter, source, tag, color, project, isOther])
}

/** Returns true where a filter leaves conversations out. */
export function useIsNarrowed(): boolean {
  return useLibraryState(
    ({ filter, source, tag, color, project, list, picked }) =>
      filter !== '' || [source, tag, color, project, list, picked].some((one) => one !== undefined),
  )
}
