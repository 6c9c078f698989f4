import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'

/** Tags of the conversation whose dialog is open, and how their last change ended. */
export interface TagsState {
  /** The conversation whose tags are being changed. */
  readonly key: LibraryKey | undefined
  /** It was asked for in a menu, which is gone: the focus goes back to what had it before that. */
  readonly isFromMenu: boolean
  readonly isBusy: boolean
  /** Why what was asked for last was not done. */
  readonly failure: ErrorReport | undefined
  /** What was done last, for whoever does not see it. */
  readonly told: string | undefined
  open(key: LibraryKey, from?: 'menu'): void
  leave(): void
  /** The acts resolve to whether it was done. */
  add(tag: string): Promise<boolean>
  remove(tag: string): Promise<boolean>
  dismissFailure(): void
  /** Another home is open. */
  reset(): void
}
/** Store of `TagsState`. */
export type TagsStore = StoreApi<TagsState>

const nothing = {
  key: undefined,
  isFromMenu: false,
  isBusy: false,
  failure: undefined,
  told: undefined,
} as const

/** Creates the store. The row that changes comes as any other change of the library. */
export function createTagsStore(api: Api): TagsStore {
  /** Makes answers void that are of a conversation that was left. */
  let generation = 0

  return createStore<TagsState>()((set, get) => {
    async function done(act: (key: LibraryKey) => Promise<unknown>, told: string) {
      const { key, isBusy } = get()
      if (isBusy || key === undefined) return false
      const mine = generation
      set({ isBusy: true, failure: undefined, told: undefined })
      try {
        await act(key)
        if (mine === generation) set({ isBusy: false, told })
        return true
      } catch (error) {
        if (mine === generation) set({ isBusy: false, failure: toErrorReport(error) })
        return false
      }
    }

    return {
      ...nothing,
      open(key, from) {
        generation++
        set({ ...nothing, key, isFromMenu: from === 'menu' })
      },
      leave() {
        generation++
        set(nothing)
      },
      add: (tag) => done((key) => api.tags.add({ key, tag }), `The tag “${tag.trim()}” is added.`),
      remove: (tag) => done((key) => api.tags.remove({ key, tag }), `The tag “${tag}” is removed.`),
      dismissFailure: () => set({ failure: undefined }),
      reset() {
        generation++
        set(nothing)
      },
    }
  })
}
