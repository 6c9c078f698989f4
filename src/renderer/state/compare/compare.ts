import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ComparisonId } from '../../../shared/ipc/conversations/comparisons'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type {
  ComparedRow,
  ComparePoint,
  ComparisonOverview,
} from '../../../shared/model/comparison/comparison-view'
import type { ComparisonFormat } from '../../../shared/model/export'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'
import type { KeyValueStorage } from '../base/storage'
import { type CompareOptions, keptOptions, readOptions } from './options'

/** Rows of one request. */
const pageRows = 25
/** Most rows that are kept: those far from the shown ones are dropped, and read again when needed. */
const keptRows = 1_500
/** Pause between a change of a conversation and the next comparison, in ms: a multiple of the last one's duration, within bounds. */
const restMs = { least: 600, most: 10_000 } as const
const restTimes = 4

/** Both sides of a comparison; without the second one, a person chooses it. */
export interface ComparePoints {
  readonly left: ComparePoint
  readonly right: ComparePoint | undefined
}

/** State and actions of the comparison that covers the conversation. */
export interface CompareState {
  readonly isOpen: boolean
  /** True where closing the view goes elsewhere, so that the focus does not return. */
  readonly leavesFocus: boolean
  /** The two sides that are compared, or were compared last. */
  readonly points: ComparePoints | undefined
  readonly phase: 'choosing' | 'reading' | 'ready' | 'failed'
  readonly failure: ErrorReport | undefined
  /** Grows with each comparison of other sides. */
  readonly generation: number
  readonly view: ComparisonOverview | undefined
  /** Rows that are here, by number. */
  readonly rows: ReadonlyMap<number, ComparedRow>
  /** Why rows could not be read; those that are here stay. */
  readonly rowsFailure: ErrorReport | undefined
  readonly options: CompareOptions
  readonly saving: ComparisonFormat | undefined
  readonly saved: { readonly file: string; readonly bytes: number } | undefined
  readonly saveFailure: ErrorReport | undefined
  /** Opens the view and compares; without `right` it asks what to compare with. */
  open(left: ComparePoint, right?: ComparePoint): Promise<void>
  /** Compares with another right side. */
  choose(right: ComparePoint): Promise<void>
  /** Exchanges the sides. */
  swap(): Promise<void>
  /** Compares the same sides again. */
  again(): Promise<void>
  hide(leavesFocus?: boolean): void
  /** Reads rows that are not here yet. Cheap to call. */
  want(from: number, to: number): void
  /** Compares again soon where a side of the open comparison has changed. */
  foldChanged(key: string): void
  setOptions(options: Partial<CompareOptions>): void
  save(format: ComparisonFormat): Promise<void>
  dismissSaved(): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the comparison that covers the conversation. */
export type CompareStore = StoreApi<CompareState>

const nothing = {
  isOpen: false,
  leavesFocus: false,
  points: undefined,
  phase: 'choosing',
  failure: undefined,
  view: undefined,
  rows: new Map<number, ComparedRow>(),
  rowsFailure: undefined,
  saving: undefined,
  saved: undefined,
  saveFailure: undefined,
} as const

/** Makes the store of the comparison that covers the conversation; how it is shown is kept in `kept`. */
export function createCompareStore(
  api: Api,
  kept: KeyValueStorage,
  clock: StoreClock = browserClock,
): CompareStore {
  /** Grows with each comparison: answers of earlier ones are dropped. */
  let request = 0
  let id: ComparisonId | undefined
  let tookMs = 0
  let stopWaiting: (() => void) | undefined
  /** Pages that were asked for, by their number. */
  let asked = new Set<number>()
  let wanted: readonly number[] = []

  return createStore<CompareState>()((set, get) => {
    function rest(): void {
      stopWaiting?.()
      stopWaiting = undefined
    }

    /** @param isQuiet what is shown stays until the new comparison and its rows are here */
    async function compare(isQuiet: boolean): Promise<void> {
      const { points } = get()
      if (points?.right === undefined) return
      rest()
      const mine = ++request
      const startedMs = clock.now()
      if (!isQuiet) {
        id = undefined
        wanted = []
        asked = new Set()
        set(({ generation }) => ({
          ...unsaved,
          phase: 'reading',
          failure: undefined,
          view: undefined,
          rows: new Map(),
          rowsFailure: undefined,
          generation: generation + 1,
        }))
      }
      try {
        const opened = await api.comparisons.open({ left: points.left, right: points.right })
        if (mine !== request) return
        const pages = isQuiet ? wanted : []
        const rows = new Map<number, ComparedRow>()
        for (const page of pages)
          for (const [row, one] of await readPage(opened.id, page)) rows.set(row, one)
        if (mine !== request) return
        id = opened.id
        asked = new Set(pages)
        tookMs = clock.now() - startedMs
        set({ phase: 'ready', view: opened.view, rows, failure: undefined, rowsFailure: undefined })
      } catch (error) {
        if (mine === request)
          set({ phase: 'failed', failure: toErrorReport(error), view: undefined, rows: new Map() })
      }
    }

    async function readPage(
      of: ComparisonId,
      page: number,
    ): Promise<readonly (readonly [number, ComparedRow])[]> {
      const from = page * pageRows
      const rows = await api.comparisons.rows({ id: of, from, limit: pageRows })
      return rows.map((row, at) => [from + at, row])
    }

    async function load(page: number): Promise<void> {
      const mine = request
      if (id === undefined) return
      try {
        const fresh = await readPage(id, page)
        if (mine !== request) return
        set(({ rows }) => ({ rows: near(new Map([...rows, ...fresh]), page) }))
      } catch (error) {
        if (mine !== request) return
        asked.delete(page)
        const failure = toErrorReport(error)
        // A newer comparison of the same sides is on its way.
        if (failure.code !== 'cancelled') set({ rowsFailure: failure })
      }
    }

    /** Drops the rows furthest from a page where there are too many. */
    function near(
      rows: ReadonlyMap<number, ComparedRow>,
      page: number,
    ): ReadonlyMap<number, ComparedRow> {
      if (rows.size <= keptRows) return rows
      const pages = [...asked].sort((a, b) => Math.abs(a - page) - Math.abs(b - page))
      asked = new Set(pages.slice(0, Math.floor(keptRows / pageRows / 2)))
      return new Map([...rows].filter(([row]) => asked.has(Math.floor(row / pageRows))))
    }

    return {
      ...nothing,
      generation: 0,
      options: readOptions(kept),

      async open(left, right) {
        set({ isOpen: true, leavesFocus: false, points: { left, right } })
        if (right !== undefined) return compare(false)
        request++
        rest()
        set({ ...unsaved, phase: 'choosing', failure: undefined, view: undefined, rows: new Map() })
      },

      async choose(right) {
        const { points } = get()
        if (points !== undefined) await get().open(points.left, right)
      },

      async swap() {
        const { points } = get()
        if (points?.right !== undefined) await get().open(points.right, points.left)
      },

      again: () => compare(false),

      hide(leavesFocus = false) {
        if (!get().isOpen) return
        request++
        rest()
        id = undefined
        set({ ...unsaved, isOpen: false, leavesFocus, view: undefined, rows: new Map() })
        // Not awaited: with another home there is none to close.
        void api.comparisons.close().catch(() => undefined)
      },

      want(from, to) {
        const pages: number[] = []
        for (let page = Math.floor(from / pageRows); page <= Math.floor(to / pageRows); page++)
          pages.push(page)
        wanted = pages
        for (const page of pages) {
          if (asked.has(page)) continue
          asked.add(page)
          void load(page)
        }
      },

      foldChanged(key) {
        const { isOpen, points } = get()
        const isSide = points?.left.key === key || points?.right?.key === key
        if (!isOpen || !isSide || points?.right === undefined || stopWaiting !== undefined) return
        stopWaiting = clock.after(pauseMs(tookMs), () => {
          stopWaiting = undefined
          void compare(get().phase === 'ready')
        })
      },

      setOptions(options) {
        const now = { ...get().options, ...options }
        kept.set(...keptOptions(now))
        set({ options: now })
      },

      async save(format) {
        if (id === undefined || get().saving !== undefined) return
        const mine = request
        set({ saving: format, saved: undefined, saveFailure: undefined })
        try {
          const saved = await api.comparisons.save({ id, format })
          if (mine === request) set({ saved: saved ?? undefined })
        } catch (error) {
          if (mine === request) set({ saveFailure: toErrorReport(error) })
        } finally {
          set({ saving: undefined })
        }
      },

      dismissSaved: () => set({ saved: undefined, saveFailure: undefined }),

      reset() {
        request++
        rest()
        id = undefined
        asked = new Set()
        wanted = []
        set({ ...nothing })
      },
    }
  })
}

function pauseMs(tookMs: number): number {
  return Math.min(restMs.most, Math.max(restMs.least, restTimes * tookMs))
}

const unsaved = { saved: undefined, saveFailure: undefined } as const
