import { useStore } from 'zustand'
import { useStores } from './context'
import type { UpkeepState } from './upkeep'

/** Follows what a person puts right beside the open context's transcript: select the smallest slice. */
export function useUpkeep<T>(select: (state: UpkeepState) => T): T {
  return useStore(useStores().upkeep, select)
}
