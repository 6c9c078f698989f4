import { useStore } from 'zustand'
import type { CompactingState } from './compacting'
import { useStores } from './context'

/** Follows the compaction that a person asked for: select the smallest slice. */
export function useCompacting<T>(select: (state: CompactingState) => T): T {
  return useStore(useStores().compacting, select)
}
