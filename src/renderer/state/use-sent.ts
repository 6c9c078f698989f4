import { useStore } from 'zustand'
import { useStores } from './context'
import type { SentState } from './sent'

/** Follows what the model was sent before an answer: select the smallest slice. */
export function useSent<T>(select: (state: SentState) => T): T {
  return useStore(useStores().sent, select)
}
