import { useStore } from 'zustand'
import { useStores } from './context'
import type { HomeTextsState } from './home-texts'

/** Follows the texts of the home: select the smallest slice. */
export function useHomeTexts<T>(select: (state: HomeTextsState) => T): T {
  return useStore(useStores().homeTexts, select)
}
