import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { FamilyView } from '../../../shared/model/family/branching'
import { toErrorReport } from '../base/failure'

/** How long a conversation rests before its family is asked for again: an answer comes as several entries. */
const restMs = 600

export type ForkView = FamilyView['forks'][number]

export interface BranchesState {
  readonly key: LibraryKey | undefined
  /** Undefined while nothing is known; null when the conversation is alone and has no branch. */
  readonly view: FamilyView | null | undefined
  /** The forks of `view` by the entry that they stand at. */
  readonly forks: ReadonlyMap<string, ForkView>
  /** Conversations are still being read: more branches may turn up. */
  readonly isCounting: boolean
  readonly failure: ErrorReport | undefined
  /** Asks for the family of a conversation. */
  load(key: LibraryKey): Promise<void>
  /** Rows were appended to a conversation. */
  foldAppended(key: string): void
  /** Families may differ now. */
  foldChanged(): void
  reset(): void
}
export type BranchesStore = StoreApi<BranchesState>

const none = {
  key: undefined,
  view: undefined,
  forks: new Map<string, ForkView>(),
  isCounting: false,
  failure: undefined,
} as const

/** The family of the open conversation: what the tree and the markers of forks show. */
export function createBranchesStore(api: Api): BranchesStore {
  let request = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  return createStore<BranchesState>()((set, get) => {
    function askSoon(): void {
      clearTimeout(timer)
      timer = setTimeout(() => {
        const { key, load } = get()
        if (key !== undefined) void load(key)
      }, restMs)
    }

    return {
      ...none,

      async load(key) {
        const mine = ++request
        clearTimeout(timer)
        // What is known of the same conversation stays on the screen meanwhile.
        if (get().key !== key) set({ ...none, key })
        try {
          const { view, counting } = await api.branches.family({ key })
          if (mine !== request) return
          const forks = new Map((view?.forks ?? []).map((fork) => [fork.entry as string, fork]))
          set({ view, forks, isCounting: counting, failure: undefined })
        } catch (error) {
          if (mine === request) set({ failure: toErrorReport(error) })
        }
      },

      foldAppended(key) {
        if (key === get().key) askSoon()
      },

      foldChanged() {
        if (get().key !== undefined) askSoon()
      },

      reset() {
        request++
        clearTimeout(timer)
        set({ ...none })
      },
    }
  })
}
