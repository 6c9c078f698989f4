import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { SearchId } from '../../../shared/ipc/conversations/search'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import {
  type SearchCounts,
  type SearchHit,
  SearchOrder,
  type SearchResult,
} from '../../../shared/model/search'
import { toErrorReport } from '../base/failure'
import type { KeyValueStorage } from '../base/storage'
import {
  foldHits,
  hitLister,
  type ListedHit,
  noHitsShown,
  type ShownHits,
  settleHits,
} from './search-hits'

/** Pause of typing after which a search begins, in ms. */
export const searchDelayMs = 120
/** Limits on the number of hits: each “Show more” takes the next. */
export const searchLimits: readonly number[] = [100, 500, 1000]

/** Outcome of a search: main's answer without the hits. */
export type SearchOutcome = Omit<SearchResult, 'hits'>

/** Progress of the search index, in bytes of conversations. */
export interface SearchIndexState {
  readonly bytes: number
  readonly bytesDone: number
  readonly building: boolean
}

/** State and actions of the search store. */
export interface SearchState {
  /** The view is open; the hits stay when it is not. */
  readonly isOpen: boolean
  readonly leavesFocus: boolean
  /** Where the focus goes when the view opens. */
  readonly opensAt: 'query' | 'hits'
  readonly text: string
  /** The query of the hits; undefined before the first search. */
  readonly asked: string | undefined
  readonly phase: 'idle' | 'searching' | 'done' | 'failed'
  /** Hits on the screen, and newer ones that wait. */
  readonly shown: ShownHits
  /** The hits are of an earlier query: the present search has none yet. */
  readonly isStale: boolean
  readonly limit: number
  /** What comes first; kept for the next start. */
  readonly order: SearchOrder
  /** The order of the hits. */
  readonly shownOrder: SearchOrder
  readonly progress: SearchCounts | undefined
  readonly outcome: SearchOutcome | undefined
  /** A person stopped the search before its end. */
  readonly isStopped: boolean
  readonly failure: ErrorReport | undefined
  readonly index: SearchIndexState | undefined
  /** Id of the hit at the cursor. */
  readonly selected: number | undefined
  /** The hit above which nothing may change. */
  readonly held: number | undefined
  /** The hit that was opened last: F3 continues from it. */
  readonly opened: number | undefined
  /** Keys of conversations whose hits are folded behind their head. */
  readonly folded: ReadonlySet<string>
  open(at: 'query' | 'hits'): void
  /** @param leavesFocus true where the focus goes elsewhere and does not return to where it was before */
  hide(leavesFocus?: boolean): void
  setText(text: string): void
  /** Searches for the typed query without further delay. */
  searchNow(): void
  /** Repeats the search: after a failure, or when the view opens again. */
  searchAgain(): void
  showMore(): void
  /** Searches again in another order. */
  setOrder(order: SearchOrder): void
  /** Ends the search; its hits stay. */
  stop(): void
  showWaiting(): void
  select(id: number | undefined): void
  setFolded(group: string, isFolded: boolean): void
  hold(id: number | undefined): void
  setOpened(id: number | undefined): void
  foldFound(searchId: string, hits: readonly SearchHit[]): void
  foldProgress(searchId: string, segments: SearchCounts): void
  foldIndex(index: SearchIndexState): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the search. */
export type SearchStore = StoreApi<SearchState>

const nothing = {
  isOpen: false,
  leavesFocus: false,
  opensAt: 'query',
  text: '',
  asked: undefined,
  phase: 'idle',
  shown: noHitsShown,
  isStale: false,
  limit: searchLimits[0] ?? 100,
  progress: undefined,
  outcome: undefined,
  isStopped: false,
  failure: undefined,
  selected: undefined,
  held: undefined,
  opened: undefined,
  folded: new Set<string>(),
} as const

/**
 * Makes the store of a search while typing: a new search cancels the one before, whose late answers are dropped.
 *
 * @param kept where the order is kept
 * @param timeOf the time of a conversation in Unix seconds, for hits without a time of their own
 */
export function createSearchStore(
  api: Api,
  timeOf: (key: LibraryKey) => number | undefined,
  kept: KeyValueStorage,
): SearchStore {
  let running: SearchId | undefined
  let searches = 0
  const list = hitLister(timeOf)
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Prefix of search ids that no reloaded window has used before. */
  const window = Math.random().toString(36).slice(2, 10)

  return createStore<SearchState>()((set, get) => {
    function found(received: readonly SearchHit[], isRanked: boolean): readonly ListedHit[] {
      const { shown, isStale } = get()
      return list(received, isStale ? noHitsShown : shown, isRanked)
    }

    function cancel(): void {
      if (running === undefined) return
      const searchId = running
      running = undefined
      // Its answer is dropped.
      void api.search.cancel({ searchId }).catch(() => undefined)
    }

    async function run(limit: number, keepsHits: boolean): Promise<void> {
      clearTimeout(timer)
      timer = undefined
      cancel()
      const { text, order } = get()
      const searchId = SearchId.parse(`${window}-${++searches}`)
      running = searchId
      set({
        asked: text,
        phase: 'searching',
        limit,
        shownOrder: order,
        progress: undefined,
        isStopped: false,
        failure: undefined,
        ...(keepsHits ? {} : { isStale: true, folded: nothing.folded }),
      })
      try {
        const { hits: answer, ...outcome } = await api.search.query({
          searchId,
          query: text,
          limit,
          ...(order === 'newest' ? {} : { order }),
        })
        if (running !== searchId) return
        running = undefined
        const ranked = found(answer, true)
        set((state) => {
          const { held } = fresh(state)
          return {
            ...fresh(state),
            shown: settleHits(fresh(state).shown, ranked, held, order),
            phase: 'done',
            outcome,
          }
        })
      } catch (error) {
        if (running !== searchId) return
        running = undefined
        set((state) => ({ ...fresh(state), phase: 'failed', failure: toErrorReport(error) }))
      }
    }

    return {
      ...nothing,
      index: undefined,
      order: keptOrder(kept),
      shownOrder: keptOrder(kept),

      open(opensAt) {
        const { isOpen, phase, text } = get()
        set({ isOpen: true, opensAt })
        // The hits may be old: the complete new answer replaces them.
        const isDone = phase === 'done' || phase === 'failed'
        if (!isOpen && opensAt === 'query' && isDone && text.trim() !== '')
          void run(get().limit, true)
      },

      hide: (leavesFocus = false) => {
        if (get().isOpen) set({ isOpen: false, leavesFocus, held: undefined })
      },

      setText(text) {
        const { asked, isStale } = get()
        const isSame = text.trim() === asked?.trim() && (running !== undefined || !isStale)
        set({ text })
        if (isSame && timer === undefined) return
        clearTimeout(timer)
        timer = undefined
        cancel()
        if (text.trim() === '') return set({ ...nothing, isOpen: get().isOpen, text })
        set({ phase: 'searching', isStale: true, selected: undefined, held: undefined })
        timer = setTimeout(() => void run(nothing.limit, false), searchDelayMs)
      },

      searchNow() {
        if (timer !== undefined) void run(nothing.limit, false)
      },

      searchAgain() {
        if (get().text.trim() !== '') void run(get().limit, true)
      },

      showMore() {
        const more = searchLimits.find((limit) => limit > get().limit)
        if (more !== undefined) void run(more, true)
      },

      setOrder(order) {
        if (order === get().order) return
        kept.set(orderName, order)
        set({ order })
        if (get().text.trim() === '') return
        set({ isStale: true, selected: undefined, held: undefined })
        void run(nothing.limit, false)
      },

      stop() {
        if (running === undefined) return
        set({ isStopped: true })
        // The query resolves with the hits so far, which are shown.
        void api.search.cancel({ searchId: running }).catch(() => undefined)
      },

      showWaiting: () =>
        set(({ shown, limit, shownOrder }) => ({
          shown: foldHits(shown, [], undefined, limit, shownOrder),
        })),

      select: (selected) => set({ selected }),

      setFolded: (group, isFolded) =>
        set(({ folded }) => ({
          folded: new Set(
            isFolded ? [...folded, group] : [...folded].filter((other) => other !== group),
          ),
        })),

      hold(held) {
        if (held === get().held) return
        set({ held })
        if (held === undefined && get().shown.waiting.length > 0) get().showWaiting()
      },

      setOpened: (opened) => set({ opened }),

      foldFound(searchId, received) {
        if (searchId !== running || received.length === 0) return
        const unranked = found(received, false)
        set((state) => {
          const { shown, held } = fresh(state)
          return {
            ...fresh(state),
            shown: foldHits(shown, unranked, held, state.limit, state.shownOrder),
          }
        })
      },

      foldProgress(searchId, progress) {
        if (searchId === running) set({ progress })
      },

      foldIndex: (index) => set({ index }),

      reset() {
        cancel()
        clearTimeout(timer)
        timer = undefined
        set({ ...nothing })
      },
    }
  })
}

const orderName = 'skein.search-order'

function keptOrder(kept: KeyValueStorage): SearchOrder {
  return SearchOrder.safeParse(kept.get(orderName)).data ?? 'newest'
}

/** Returns the list, empty where its hits are of an earlier query. */
function fresh(
  state: SearchState,
): Pick<SearchState, 'shown' | 'isStale' | 'selected' | 'held' | 'opened' | 'outcome'> {
  const { shown, selected, held, opened, outcome } = state
  return state.isStale
    ? {
        shown: noHitsShown,
        isStale: false,
        selected: undefined,
        held: undefined,
        opened: undefined,
        outcome: undefined,
      }
    : { shown, isStale: false, selected, held, opened, outcome }
}
