import { createStore, type StoreApi } from 'zustand/vanilla'
import type { BackgroundNotice } from '../../../shared/ipc/app/background'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { toErrorReport } from '../base/failure'

/** State and actions of the background store. */
export interface BackgroundState {
  /** The newest first. */
  readonly notices: readonly BackgroundNotice[]
  /** Why the notices were not listed, or not dismissed. */
  readonly failure: ErrorReport | undefined
  readonly isOpen: boolean
  load(): Promise<void>
  open(): void
  close(): void
  dismissAll(): Promise<void>
  fold(notices: readonly BackgroundNotice[]): void
}
/** Store of background notices. */
export type BackgroundStore = StoreApi<BackgroundState>

/** Makes the store of notices about work that was postponed or failed in the background since Skein started. */
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
        // Newer notices were not seen yet, and stay.
        set({ notices: await api.background.dismiss({ upTo: newest.id }), failure: undefined })
      } catch (error) {
        set({ failure: toErrorReport(error) })
      }
    },
    fold: (notices) => set({ notices }),
  }))
}
