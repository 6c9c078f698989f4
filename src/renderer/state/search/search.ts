import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { SearchId } from '../../../shared/ipc/conversations/search'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { SearchCounts, SearchHit, SearchResult } from '../../../shared/model/search'
import { toErrorReport } from '../base/failure'
import {
  foldHits,
  hitGroupKey,
  hitIdentity,
  type ListedHit,
  noHitsShown,
  type ShownHits,
  settleHits,
} from './search-hits'

/** Typing that goes on sooner than this is not searched for yet. */
export const searchDelayMs = 120
/** How many hits are asked for, step by step. */
export const searchLimits: readonly number[] = [100, 500, 1000]

/** How a search ended: main's answer without its hits. */
export type SearchOutcome = Omit<SearchResult, 'hits'>

/** How much of the library has its filters. */
export interface SearchIndexState {
  readonly bytes: number
  readonly bytesDone: number
  readonly building: boolean
}

export interface SearchState {
  /** The view is on the screen; what was found is kept when it is not. */
  readonly isOpen: boolean
  readonly leavesFocus: boolean
  /** Where the focus goes when the view opens. */
  readonly opensAt: 'query' | 'hits'
  readonly text: string
  /** What the hits answer; undefined when nothing was asked yet. */
  readonly asked: string | undefined
  readonly phase: 'idle' | 'searching' | 'done' | 'failed'
  /** Hits on the screen, and newer ones that wait. */
  readonly shown: ShownHits
  /** The hits still answer an earlier text: the search for this one has told nothing so far. */
  readonly isStale: boolean
  readonly limit: number
  readonly progress: SearchCounts | undefined
  readonly outcome: SearchOutcome | undefined
  /** Somebody ended the search before it was through. */
  readonly isStopped: boolean
  readonly failure: ErrorReport | undefined
  readonly index: SearchIndexState | undefined
  /** The hit that the arrows stand on, by its id. */
  readonly selected: number | undefined
  /** The hit above which nothing may change. */
  readonly held: number | undefined
  /** The hit that was gone to: F3 goes on from it. */
  readonly opened: number | undefined
  open(at: 'query' | 'hits'): void
  /** @param leavesFocus somebody went elsewhere: the focus does not return to where it was before */
  hide(leavesFocus?: boolean): void
  setText(text: string): void
  /** Searches for what is typed without waiting for more. */
  searchNow(): void
  /** The same once more: after a failure, or when the view comes back. */
  searchAgain(): void
  showMore(): void
  /** Ends the search; what was found stays. */
  stop(): void
  showWaiting(): void
  select(id: number | undefined): void
  hold(id: number | undefined): void
  setOpened(id: number | undefined): void
  foldFound(searchId: string, hits: readonly SearchHit[]): void
  foldProgress(searchId: string, segments: SearchCounts): void
  foldIndex(index: SearchIndexState): void
  /** Forgets all, as another home is opened. */
  reset(): void
}
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
} as const

/**
 * Search as one types: one search at a time, an older one is ended; what belongs to an older one is not taken in.
 *
 * @param timeOf the time of a conversation in Unix seconds, for hits without a time of their own
 */
export function createSearchStore(
  api: Api,
  timeOf: (key: LibraryKey) => number | undefined,
): SearchStore {
  let running: SearchId | undefined
  let searches = 0
  let hits = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Makes names of searches that no reloaded window has used before. */
  const window = Math.random().toString(36).slice(2, 10)

  return createStore<SearchState>()((set, get) => {
    /** Hits as they are known here; one that is on the screen or waits keeps its id. */
    function found(told: readonly SearchHit[], isRanked: boolean): readonly ListedHit[] {
      const { shown, isStale } = get()
      const known = isStale ? [] : [...shown.hits, ...shown.waiting]
      const ids = new Map(known.map(({ name, id }) => [name, id]))
      return told.map((hit, rank) => {
        const name = hitIdentity(hit)
        const time = hit.timestamp ?? timeOf(libraryKeyOf(hit.source, hit.key))
        return {
          id: ids.get(name) ?? ++hits,
          name,
          group: hitGroupKey(hit),
          hit,
          time: time ?? Number.NEGATIVE_INFINITY,
          ...(isRanked ? { rank } : {}),
        }
      })
    }

    function cancel(): void {
      if (running === undefined) return
      const searchId = running
      running = undefined
      // Nobody waits for it: what it resolves with is not taken in.
      void api.search.cancel({ searchId }).catch(() => undefined)
    }

    async function run(limit: number, keepsHits: boolean): Promise<void> {
      clearTimeout(timer)
      timer = undefined
      cancel()
      const { text } = get()
      const searchId = SearchId.parse(`${window}-${++searches}`)
      running = searchId
      set({
        asked: text,
        phase: 'searching',
        limit,
        progress: undefined,
        isStopped: false,
        failure: undefined,
        ...(keepsHits ? {} : { isStale: true }),
      })
      try {
        const { hits: answer, ...outcome } = await api.search.query({
          searchId,
          query: text,
          limit,
        })
        if (running !== searchId) return
        running = undefined
        const ranked = found(answer, true)
        set((state) => {
          const { held } = fresh(state)
          return {
            ...fresh(state),
            shown: settleHits(fresh(state).shown, ranked, held),
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

      open(opensAt) {
        const { isOpen, phase, text } = get()
        set({ isOpen: true, opensAt })
        // What was found may be old; what was found anew takes its place when it is all there.
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

      stop() {
        if (running === undefined) return
        set({ isStopped: true })
        // It resolves with what was found, and that is taken in.
        void api.search.cancel({ searchId: running }).catch(() => undefined)
      },

      showWaiting: () =>
        set(({ shown, limit }) => ({ shown: foldHits(shown, [], undefined, limit) })),

      select: (selected) => set({ selected }),

      hold(held) {
        if (held === get().held) return
        set({ held })
        if (held === undefined && get().shown.waiting.length > 0) get().showWaiting()
      },

      setOpened: (opened) => set({ opened }),

      foldFound(searchId, told) {
        if (searchId !== running || told.length === 0) return
        const unranked = found(told, false)
        set((state) => {
          const { shown, held } = fresh(state)
          return { ...fresh(state), shown: foldHits(shown, unranked, held, state.limit) }
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

/** The list without what answered an earlier text. */
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
