import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { SearchId } from '../../../shared/ipc/conversations/search'
import type { NothingFound } from '../../../shared/model/nothing-found'

/** State and actions of the store for searches without hits. */
export interface NothingState {
  /** The query that finds nothing. */
  readonly query: string | undefined
  /** Queries next to it that find something; undefined while they are looked for. */
  readonly found: NothingFound | undefined
  /** Looks for queries next to one that finds nothing. */
  explain(query: string): void
  /** Ends the look: another query is typed. */
  stop(): void
}
/** Store of queries next to one that finds nothing. */
export type NothingStore = StoreApi<NothingState>

/** Makes the store of queries next to one that finds nothing. */
export function createNothingStore(api: Api): NothingStore {
  /** Prefix of ids that no reloaded window has used before. */
  const window = Math.random().toString(36).slice(2, 10)
  let looks = 0
  let running: SearchId | undefined

  return createStore<NothingState>()((set, get) => ({
    query: undefined,
    found: undefined,

    explain(query) {
      get().stop()
      const searchId = SearchId.parse(`${window}-nothing-${++looks}`)
      running = searchId
      set({ query, found: undefined })
      const fold = (found: NothingFound) => {
        if (running !== searchId) return
        running = undefined
        set({ found })
      }
      // Without an answer there is nothing to offer; the search itself has told what it could not read.
      api.search.explain({ searchId, query }).then(fold, () => fold({ without: [], near: [] }))
    },

    stop() {
      set({ query: undefined, found: undefined })
      if (running === undefined) return
      const searchId = running
      running = undefined
      void api.search.cancel({ searchId }).catch(() => undefined)
    },
  }))
}
