import { useStore } from 'zustand'
import type { ConsentState } from './consent'
import { useStores } from './context'

/** Follows the questions of tools: select the smallest slice. */
export function useConsent<T>(select: (state: ConsentState) => T): T {
  return useStore(useStores().consent, select)
}
