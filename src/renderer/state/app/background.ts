import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BackgroundNotice } from '../../../shared/ipc/app/background'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { toErrorReport } from '../base/failure'

export interface BackgroundState {
  /** The newest first. */
  readonly notices: readonly BackgroundNotice[]
  /** Why they were not listed, or not dropped. */
  readonly failure: ErrorReport | undefined
  readonly isOpen: boolean
  load(): Promise<void>
  open(): void
  close(): void
  dismissAll(): Promise<void>
  fold(notices: readonly BackgroundNotice[]): void
}
export type BackgroundStore = StoreApi<BackgroundState>

/** Holds what was put off or failed in the background since Skein was started. */
export function createBackgroundStore(api: Api): BackgroundStore {
  return createStore<BackgroundState>()((set, get) => ({
    notices: [],
    failure: undefined,
    isOpen: false,

    async load() {
      try {
        set({ notices: await api.background.list(), failure: undefined })
      } catch (error) {
        set({ failure: toErrorReport(error) })
      }
    },
    open() {
      set({ isOpen: true })
      void get().load()
    },
    close: () => set({ isOpen: false }),
    async dismissAll() {
      const [newest] = get().notices
      if (newest === undefined) return
      try {
        // What came meanwhile was not read yet, and stays.
        set({ notices: await api.background.dismiss({ upTo: newest.id }), failure: undefined })
      } catch (error) {
        set({ failure: toErrorReport(error) })
      }
    },
    fold: (notices) => set({ notices }),
  }))
}
