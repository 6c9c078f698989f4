import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { SourceDrift } from '../../../shared/model/drift/drift'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'

/** State and actions of the drift store. */
export interface DriftState {
  /** The last answer, by source; undefined before the first one. */
  readonly found: readonly SourceDrift[] | undefined
  /** Why the last request failed; earlier answers stay. */
  readonly failure: ErrorReport | undefined
  /** Asks main; while a request goes on, once more after it. */
  load(): Promise<void>
  /** Asks at once where nothing is known, else after a second, so that a burst of changes costs one request. */
  follow(): void
  /** Forgets all, and drops a request that waits: nobody looks any more, or another home is open. */
  leave(): void
}
/** Store of what is new in the histories of each source. */
export type DriftStore = StoreApi<DriftState>

const pauseMs = 1000

/** Makes the store of what is new in the histories of each source. */
export function createDriftStore(api: Api, clock: StoreClock = browserClock): DriftStore {
  /** Grows whenever somebody leaves: answers to earlier requests are dropped. */
  let generation = 0
  let isLoading = false
  let isAskedAgain = false
  let stopWaiting: (() => void) | undefined

  return createStore<DriftState>()((set, get) => ({
    found: undefined,
    failure: undefined,

    async load() {
      stopWaiting?.()
      stopWaiting = undefined
      isAskedAgain = isLoading
      if (isLoading) return
      isLoading = true
      const mine = generation
      try {
        const found = await api.sources.drift()
        if (mine === generation) set({ found, failure: undefined })
      } catch (error) {
        if (mine === generation) set({ failure: toErrorReport(error) })
      }
      isLoading = false
      if (isAskedAgain) get().follow()
    },

    follow() {
      if (isLoading) isAskedAgain = true
      else if (get().found === undefined && get().failure === undefined) void get().load()
      else stopWaiting ??= clock.after(pauseMs, () => void get().load())
    },

    leave() {
      generation++
      stopWaiting?.()
      stopWaiting = undefined
      isAskedAgain = false
      set({ found: undefined, failure: undefined })
    },
  }))
}
