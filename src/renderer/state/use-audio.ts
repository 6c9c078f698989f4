import { useStore } from 'zustand'
import type { AudioState } from './audio'
import { useStores } from './context'

/** Follows the recordings: select the smallest slice. */
export function useAudio<T>(select: (state: AudioState) => T): T {
  return useStore(useStores().audio, select)
}
