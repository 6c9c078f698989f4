import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SnapshotDone, SnapshotStep } from '../../../shared/ipc/app/snapshots'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { toErrorReport } from '../base/failure'

/** State and actions of the snapshots' store. */
export interface SnapshotsState {
  /** What is asked for or going on. */
  readonly running: SnapshotStep['act'] | undefined
  /** Undefined while the system's dialogs are open. */
  readonly step: SnapshotStep | undefined
  /** The last one that was taken or restored. */
  readonly done: SnapshotDone | undefined
  /** Why the last one was not. */
  readonly refusal: { readonly act: SnapshotStep['act']; readonly error: ErrorReport } | undefined
  /** Asks where to, and takes a snapshot or restores one. */
  begin(act: SnapshotStep['act']): Promise<void>
  stop(): Promise<void>
  fold(step: SnapshotStep): void
}
/** Store of the snapshots of the home. */
export type SnapshotsStore = StoreApi<SnapshotsState>

/** Makes the store of snapshots. */
export function createSnapshotsStore(api: Api): SnapshotsStore {
  return createStore<SnapshotsState>()((set, get) => ({
    running: undefined,
    step: undefined,
    done: undefined,
    refusal: undefined,

    async begin(act) {
      if (get().running !== undefined) return
      set({ running: act, step: undefined, done: undefined, refusal: undefined })
      try {
        const done = await api.snapshots[act]()
        set({ done: done ?? undefined })
      } catch (error) {
        set({ refusal: { act, error: toErrorReport(error) } })
      } finally {
        set({ running: undefined, step: undefined })
      }
    },

    async stop() {
      await api.snapshots.stop().catch(() => undefined)
    },

    fold(step) {
      // One that comes after the end is of no use.
      if (get().running === step.act) set({ step })
    },
  }))
}
