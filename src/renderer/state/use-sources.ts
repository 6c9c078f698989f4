import { useStore } from 'zustand'
import { useStores } from './context'
import type { SourcesState } from './sources'

/** Follows the roots of other systems: select the smallest slice. */
export function useSources<T>(select: (state: SourcesState) => T): T {
  return useStore(useStores().sources, select)
}
