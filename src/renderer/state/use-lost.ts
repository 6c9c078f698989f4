import { useStore } from 'zustand'
import { useStores } from './context'
import type { LostState } from './lost'

/** Follows what is lost and found: select the smallest slice. */
export function useLost<T>(select: (state: LostState) => T): T {
  return useStore(useStores().lost, select)
}
