import { useStore } from 'zustand'
import { useStores } from './context'
import type { TitlesState } from './titles'

/** Follows the titles that are given to conversations: select the smallest slice. */
export function useTitles<T>(select: (state: TitlesState) => T): T {
  return useStore(useStores().titles, select)
}
