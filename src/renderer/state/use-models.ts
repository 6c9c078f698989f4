import { useStore } from 'zustand'
import { useStores } from './context'
import type { ModelsState } from './models'

/** Follows the providers and their models: select the smallest slice. */
export function useModels<T>(select: (state: ModelsState) => T): T {
  return useStore(useStores().models, select)
}
