import { createStore, type StoreApi } from 'zustand/vanilla'
import type { SnapshotDone, SnapshotStep } from '../../../shared/ipc/app/snapshots'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { toErrorReport } from '../base/failure'

/** State and actions of the snapshots' store. */
export interface SnapshotsState {
  /** The act that is asked for or going on. */
  readonly running: SnapshotStep['act'] | undefined
  /** Undefined while the system's dialogs are open. */
  readonly step: SnapshotStep | undefined
  /** The last one that was taken or restored. */
  readonly done: SnapshotDone | undefined
  /** Why the last one was not. */
  readonly refusal: { readonly act: SnapshotStep['act']; readonly error: ErrorReport } | undefined
  /** Words about the snapshot that was picked and is encrypted: restoring goes on with its passphrase. */
  readonly locked: string | undefined
  /**
   * Asks where to, and takes a snapshot or restores one.
   *
   * @param passphrase to encrypt with, or to decrypt what was picked before; it is kept nowhere
   */
  begin(act: SnapshotStep['act'], passphrase?: string): Promise<void>
  /** Lets go of the snapshot that needs its passphrase. */
  giveUpPassphrase(): void
  stop(): Promise<void>
  /** Takes in a step, also of what another page, or this one before it was loaded anew, has begun. */
  fold(step: SnapshotStep): void
  /** Takes in the end of what this page did not begin. */
  end(done: SnapshotDone | undefined): void
}

/** Store of the snapshots of the home. */
export type SnapshotsStore = StoreApi<SnapshotsState>

/** Makes the store of snapshots. */
export function createSnapshotsStore(api: Api): SnapshotsStore {
  let isAsked = false
  return createStore<SnapshotsState>()((set, get) => ({
    running: undefined,
    step: undefined,
    done: undefined,
    refusal: undefined,
    locked: undefined,

    async begin(act, passphrase) {
      if (get().running !== undefined) return
      isAsked = true
      set({ running: act, step: undefined, done: undefined, refusal: undefined })
      try {
        const done = await api.snapshots[act](passphrase === undefined ? {} : { passphrase })
        set({ done: done ?? undefined, ...unlocked(act) })
      } catch (error) {
        const report = toErrorReport(error)
        const isLocked = report.code === 'passphrase'
        // That it needs one is no refusal yet.
        if (isLocked && passphrase === undefined) set({ locked: report.message })
        else set({ refusal: { act, error: report }, ...(isLocked ? {} : unlocked(act)) })
      } finally {
        isAsked = false
        set({ running: undefined, step: undefined })
      }
    },

    giveUpPassphrase() {
      set({ locked: undefined, refusal: undefined })
    },

    async stop() {
      await api.snapshots.stop().catch(() => undefined)
    },

    fold(step) {
      const { running } = get()
      if (running === undefined || running === step.act) set({ running: step.act, step })
    },

    end(done) {
      // An answer tells more.
      if (isAsked) return
      set({ running: undefined, step: undefined, ...(done === undefined ? {} : { done }) })
    },
  }))
}

/** What waits for a passphrase is a restore: nothing else ends its waiting. */
function unlocked(act: SnapshotStep['act']): Pick<Partial<SnapshotsState>, 'locked'> {
  return act === 'restore' ? { locked: undefined } : {}
}
