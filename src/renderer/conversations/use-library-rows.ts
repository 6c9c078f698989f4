import { useMemo } from 'react'
import { useFamilies, useLayout, useLibraryState } from '../state/context'
import { useFilteredConversations } from './filters/use-filtered'
import { groupRows, type LibraryRow } from './order/groups'

/** Returns the rows of the library as filtered, sorted and grouped now; the same array until one of these changes. */
export function useLibraryRows(nowMs: number): readonly LibraryRow[] {
  const conversations = useFilteredConversations(nowMs)
  const grouping = useLayout((state) => state.grouping)
  const isNewestFirst = useLayout((state) => state.sort === 'newest')
  const isPicked = useLibraryState((state) => state.picked !== undefined)
  // Each of those that were picked is seen: a mark says how many they are. Heads of families join them already.
  const joinsFamilies =
    useLayout((state) => state.joinsFamilies) && !isPicked && grouping !== 'family'
  const familyOf = useFamilies((state) => state.familyOf)
  const open = useFamilies((state) => state.open)
  // Only groups of dates depend on the clock.
  const atMs = grouping === 'date' ? nowMs : 0
  return useMemo(
    () =>
      groupRows(conversations, grouping, atMs, joinsFamilies ? { familyOf, open } : undefined, {
        familyOf,
        isNewestFirst,
      }),
    [conversations, grouping, isNewestFirst, atMs, joinsFamilies, familyOf, open],
  )
}
