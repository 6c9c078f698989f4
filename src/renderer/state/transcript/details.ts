import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type {
  ConversationDetails,
  LibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { ModelMessage } from '../../../shared/model/conversation/model-view'
import { toErrorReport } from '../base/failure'

/** State and actions of the details store. */
export interface DetailsState {
  readonly key: LibraryKey | undefined
  readonly details: ConversationDetails | undefined
  /** Messages that its own system sends its model; null where they are those of the transcript. */
  readonly modelView: readonly ModelMessage[] | null
  readonly isLoading: boolean
  readonly failure: ErrorReport | undefined
  /** The transcript has grown since it was counted. */
  readonly isStale: boolean
  /** Loads the details of a conversation; its earlier ones stay meanwhile. */
  load(key: LibraryKey): Promise<void>
  foldAppended(key: string): void
}
/** Store of the details pane. */
export type DetailsStore = StoreApi<DetailsState>

/**
 * Makes the store of the open conversation's details. A load reads the whole conversation, so it is called only
 * while the pane is open.
 */
export function createDetailsStore(api: Api): DetailsStore {
  let request = 0
  return createStore<DetailsState>()((set, get) => ({
    key: undefined,
    details: undefined,
    modelView: null,
    isLoading: false,
    failure: undefined,
    isStale: false,

    async load(key) {
      const mine = ++request
      set({
        key,
        isLoading: true,
        isStale: false,
        failure: undefined,
        ...(get().key === key ? {} : { details: undefined, modelView: null }),
      })
      try {
        const details = await api.transcript.details({ key })
        if (mine === request) set({ details })
        const modelView = await api.transcript.modelView({ key })
        if (mine === request) set({ modelView })
      } catch (error) {
        if (mine === request) set({ failure: toErrorReport(error) })
      } finally {
        if (mine === request) set({ isLoading: false })
      }
    },

    foldAppended(key) {
      if (key === get().key) set({ isStale: true })
    },
  }))
}
