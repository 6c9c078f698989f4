import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'

/** State and actions of the tags store. */
export interface TagsState {
  /** The conversation whose tags are being changed. */
  readonly key: LibraryKey | undefined
  /** True where a menu opened it: the focus then returns to the element from before the menu. */
  readonly isFromMenu: boolean
  readonly isBusy: boolean
  /** Why the last action failed. */
  readonly failure: ErrorReport | undefined
  /** The last outcome, for screen readers. */
  readonly told: string | undefined
  open(key: LibraryKey, from?: 'menu'): void
  leave(): void
  /** This and `remove` resolve to whether it was done. */
  add(tag: string): Promise<boolean>
  remove(tag: string): Promise<boolean>
  dismissFailure(): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the dialog for tags. */
export type TagsStore = StoreApi<TagsState>

const nothing = {
  key: undefined,
  isFromMenu: false,
  isBusy: false,
  failure: undefined,
  told: undefined,
} as const

/** Makes the store of the dialog for tags. It does not change rows: those come as changes of the library. */
export function createTagsStore(api: Api): TagsStore {
  /** Grows with each closed dialog: answers for an earlier one are dropped. */
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
