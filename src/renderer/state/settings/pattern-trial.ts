import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { OwnPattern } from '../../../shared/model/settings/own-pattern'
import { toErrorReport } from '../base/failure'

/** Result of trying an own pattern of redaction on a conversation. */
export type PatternTrial =
  | { readonly type: 'none' }
  | { readonly type: 'counting' }
  | { readonly type: 'counted'; readonly places: number }
  | { readonly type: 'refused'; readonly message: string }

/** State and actions of trying a pattern as it is typed. */
export interface PatternTrialState {
  readonly trial: PatternTrial
  /** Tries a pattern; the one before is no longer of interest. Nothing is tried without a text or a conversation. */
  attempt(pattern: string, key: LibraryKey | undefined): Promise<void>
}

/** Store of the pattern that is being typed. */
export type PatternTrialStore = StoreApi<PatternTrialState>

/** Makes the store of trying patterns. */
export function createPatternTrialStore(api: Api): PatternTrialStore {
  let request = 0
  return createStore<PatternTrialState>()((set) => ({
    trial: { type: 'none' },
    async attempt(text, key) {
      const mine = ++request
      const tell = (trial: PatternTrial) => {
        if (mine === request) set({ trial })
      }
      if (text.trim() === '') return tell({ type: 'none' })
      const pattern = OwnPattern.safeParse(text)
      if (!pattern.success)
        return tell({ type: 'refused', message: 'A pattern has at most 1,000 characters.' })
      if (key === undefined) return tell({ type: 'none' })
      tell({ type: 'counting' })
      try {
        const { places } = await api.exports.tryPattern({ key, pattern: pattern.data })
        tell({ type: 'counted', places })
      } catch (error) {
        tell({ type: 'refused', message: toErrorReport(error).message })
      }
    },
  }))
}
