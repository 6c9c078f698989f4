import { useStore } from 'zustand'
import { useStores } from './context'
import type { WindowSizeState } from './window-size'

/** Follows what the next request takes of the model's window: select the smallest slice. */
export function useWindowSize<T>(select: (state: WindowSizeState) => T): T {
  return useStore(useStores().windowSize, select)
}
