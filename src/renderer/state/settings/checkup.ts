import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CheckupRepair, CheckupStep } from '../../../shared/ipc/app/checkup'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { Checkup } from '../../../shared/model/checkup'
import { toErrorReport } from '../base/failure'

/** State and actions of the checkup of the home. */
export interface CheckupState {
  readonly running: 'check' | 'repair' | undefined
  /** Undefined before the first conversation. */
  readonly step: CheckupStep | undefined
  /** The last result; undefined before the first. */
  readonly checkup: Checkup | undefined
  /** What the last repair did; undefined where the last look repaired nothing. */
  readonly repair: CheckupRepair | undefined
  /** Why the last one failed. */
  readonly refusal: ErrorReport | undefined
  check(): Promise<void>
  /** Asks where the snapshot goes, and repairs. */
  repairAll(): Promise<void>
  stop(): Promise<void>
  /** Takes in how far it is. */
  fold(step: CheckupStep): void
}

/** Store of the checkup of the home. */
export type CheckupStore = StoreApi<CheckupState>

/** Makes the store of the checkup. */
export function createCheckupStore(api: Api): CheckupStore {
  return createStore<CheckupState>()((set, get) => ({
    running: undefined,
    step: undefined,
    checkup: undefined,
    repair: undefined,
    refusal: undefined,

    async check() {
      if (get().running !== undefined) return
      set({ running: 'check', step: undefined, repair: undefined, refusal: undefined })
      try {
        set({ checkup: await api.checkup.check() })
      } catch (error) {
        const refusal = toErrorReport(error)
        if (refusal.code !== 'cancelled') set({ refusal })
      } finally {
        set({ running: undefined, step: undefined })
      }
    },

    async repairAll() {
      if (get().running !== undefined) return
      set({ running: 'repair', step: undefined, refusal: undefined })
      try {
        const repair = await api.checkup.repair()
        if (repair !== null) set({ repair, checkup: repair.after })
      } catch (error) {
        const refusal = toErrorReport(error)
        if (refusal.code !== 'cancelled') set({ refusal })
      } finally {
        set({ running: undefined, step: undefined })
      }
    },

    async stop() {
      await api.checkup.stop().catch(() => undefined)
    },

    fold(step) {
      if (get().running !== undefined) set({ step })
    },
  }))
}
