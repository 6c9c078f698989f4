import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { ReadListId } from '../../../shared/model/lists/smart-lists'
import { toErrorReport } from '../base/failure'

/** State and actions of the store of a smart list for which conversations have to be read. */
export interface ReadListState {
  readonly list: ReadListId | undefined
  /** Keys of those that are found so far; undefined before the first answer. */
  readonly keys: ReadonlySet<string> | undefined
  /** Numbers of conversations that were read, and of all; undefined once all were. */
  readonly reading: { readonly read: number; readonly total: number } | undefined
  /** Number of conversations of which not all could be read: they may belong to the list. */
  readonly unread: number
  /** Why the last call failed. */
  readonly failure: ErrorReport | undefined
  /** Finds what a list holds; undefined ends that. */
  follow(list: ReadListId | undefined): void
  /** Asks again: after a failure, or when conversations changed. */
  load(): Promise<void>
}
/** Store of a smart list for which conversations have to be read. */
export type ReadListStore = StoreApi<ReadListState>

const nothing = {
  list: undefined,
  keys: undefined,
  reading: undefined,
  unread: 0,
  failure: undefined,
} as const

/** Makes the store of a smart list for which conversations have to be read. */
export function createReadListStore(api: Api): ReadListStore {
  /** Grows with each question: answers to an earlier one are dropped. */
  let request = 0
  let isAsking = false
  let isAskedAgain = false

  return createStore<ReadListState>()((set, get) => ({
    ...nothing,

    follow(list) {
      request += 1
      isAsking = false
      set({ ...nothing, list })
      if (list !== undefined) void get().load()
    },

    async load() {
      const { list } = get()
      if (list === undefined) return
      // The one on its way may be older than the change; dropped, a stream of changes would keep every answer away.
      if (isAsking) {
        isAskedAgain = true
        return
      }
      isAsking = true
      isAskedAgain = false
      const mine = ++request
      try {
        const mark = { type: 'state', state: list } as const
        const { keys, reading, unread } = await api.statistics.conversations({ filter: {}, mark })
        if (mine !== request) return
        const { isDone, ...counts } = reading
        set({
          keys: new Set(keys),
          reading: isDone ? undefined : counts,
          unread,
          failure: undefined,
        })
      } catch (error) {
        if (mine !== request) return
        set({ failure: toErrorReport(error) })
      }
      isAsking = false
      if (isAskedAgain) void get().load()
    },
  }))
}
