import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { CompactionEnd, CompactionState } from '../../../shared/ipc/runs/compaction'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { CompactionMode } from '../../../shared/model/run/run'
import { toErrorReport } from '../base/failure'

/** State and actions of a compaction that a person asked for. */
export interface CompactingState {
  /** The context that is compacted. */
  readonly key: LibraryKey | undefined
  /** The present phase; undefined while no compaction runs. */
  readonly phase: 'choosing' | 'summarizing' | undefined
  readonly end: CompactionEnd | undefined
  /** Why it did not begin, or ended early. */
  readonly failure: ErrorReport | undefined
  /** Compacts a context; resolves when it ended. Does nothing while a compaction runs. */
  compact(key: LibraryKey, mode: CompactionMode): Promise<void>
  /** Forgets the compaction; one that runs is stopped, and the context window stays unchanged. */
  leave(): void
  fold(state: CompactionState): void
}
/** Store of the compaction that a person asked for. */
export type CompactingStore = StoreApi<CompactingState>

const nothing = { key: undefined, phase: undefined, end: undefined, failure: undefined } as const

/** Makes the store of the compaction that a person asks for in this app window, one at a time. */
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
