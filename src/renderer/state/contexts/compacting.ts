import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { CompactionEnd, CompactionState } from '../../../shared/ipc/runs/compaction'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { CompactionMode } from '../../../shared/model/run/run'
import { toErrorReport } from '../base/failure'

export interface CompactingState {
  /** The context whose compaction this is about. */
  readonly key: LibraryKey | undefined
  /** What goes on in it; `undefined` while nothing does. */
  readonly phase: 'choosing' | 'summarizing' | undefined
  readonly end: CompactionEnd | undefined
  /** Why it did not begin, or broke off. */
  readonly failure: ErrorReport | undefined
  /** Makes room in a context's window; resolves at its end. Does nothing while one goes on. */
  compact(key: LibraryKey, mode: CompactionMode): Promise<void>
  /** Leaves it: one that goes on is stopped, and the window stays as it was. */
  leave(): void
  fold(state: CompactionState): void
}
export type CompactingStore = StoreApi<CompactingState>

const nothing = { key: undefined, phase: undefined, end: undefined, failure: undefined } as const

/** The compaction that a person asks for in this window. */
export function createCompactingStore(api: Api): CompactingStore {
  let mine = 0
  return createStore<CompactingState>()((set, get) => ({
    ...nothing,

    async compact(key, mode) {
      if (get().phase !== undefined) return
      const own = ++mine
      set({ ...nothing, key, phase: mode === 'rolling' ? 'choosing' : 'summarizing' })
      try {
        const end = await api.compaction.compact({ key, mode })
        if (own === mine) set({ phase: undefined, end })
      } catch (error) {
        if (own === mine) set({ phase: undefined, failure: toErrorReport(error) })
      }
    },

    leave() {
      const { key, phase } = get()
      mine++
      if (key !== undefined && phase !== undefined)
        void api.compaction.cancel({ key }).catch(() => undefined)
      set(nothing)
    },

    fold({ key, phase }) {
      if (key === get().key && get().phase !== undefined && phase !== 'ended') set({ phase })
    },
  }))
}
