import { dequal } from 'dequal/lite'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type {
  CalledSubagent,
  FamilyLabel,
  FamilyView,
} from '../../../shared/model/family/branching'
import { toErrorReport } from '../base/failure'

/** Pause after a change before the family is loaded again: an answer comes as several entries. */
const restMs = 600

/** Fork of a family, at its entry. */
export type ForkView = FamilyView['forks'][number]

/** State and actions of the branches store. */
export interface BranchesState {
  readonly key: LibraryKey | undefined
  /** Undefined while unknown; null for a conversation without relatives. */
  readonly view: FamilyView | null | undefined
  /** The forks of `view` by their entry. */
  readonly forks: ReadonlyMap<string, ForkView>
  /** The labels of `view` whose entry the conversation has, by its id there. */
  readonly labels: ReadonlyMap<string, FamilyLabel>
  /** The subagents that the conversation called, by the entry of the call. */
  readonly subagents: ReadonlyMap<string, readonly CalledSubagent[]>
  /** Conversations are still being read: more branches may appear. */
  readonly isCounting: boolean
  readonly failure: ErrorReport | undefined
  /** Loads the family of a conversation. */
  load(key: LibraryKey): Promise<void>
  /** Loads again soon after rows were appended to the conversation. */
  foldAppended(key: string): void
  /** Loads again soon, since families may have changed. */
  foldChanged(): void
  reset(): void
}
/** Store of the open conversation's family. */
export type BranchesStore = StoreApi<BranchesState>

const none = {
  key: undefined,
  view: undefined,
  forks: new Map<string, ForkView>(),
  labels: new Map<string, FamilyLabel>(),
  subagents: new Map<string, readonly CalledSubagent[]>(),
  isCounting: false,
  failure: undefined,
} as const

/** Makes the store of the open conversation's family and forks. Changes are read after a rest of 600 ms. */
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
        // The known family of the same conversation stays meanwhile.
        if (get().key !== key) set({ ...none, key })
        try {
          const { view, counting } = await api.branches.family({ key })
          if (mine !== request) return
          // The same object where nothing is new: nothing is laid out or drawn again for it.
          if (dequal(view, get().view)) {
            set({ isCounting: counting, failure: undefined })
            return
          }
          const forks = new Map((view?.forks ?? []).map((fork) => [fork.entry as string, fork]))
          const labels = new Map(
            (view?.labels ?? []).flatMap((label) =>
              label.here === undefined ? [] : [[label.here as string, label] as const],
            ),
          )
          const subagents = new Map<string, readonly CalledSubagent[]>()
          for (const one of view?.subagents ?? [])
            subagents.set(one.caller, [...(subagents.get(one.caller) ?? []), one])
          set({ view, forks, labels, subagents, isCounting: counting, failure: undefined })
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
