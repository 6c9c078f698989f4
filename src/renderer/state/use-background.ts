import { useStore } from 'zustand'
import type { BackgroundState } from './background'
import { useStores } from './context'

/** Follows what was put off or failed in the background: select the smallest slice. */
export function useBackground<T>(select: (state: BackgroundState) => T): T {
  return useStore(useStores().background, select)
}
