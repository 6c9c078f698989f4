import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { AppError, type ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey, LockState } from '../../../shared/model/conversation/conversation'
import type {
  Cursor,
  PageFrom,
  TranscriptPage,
  TranscriptRow,
  WayName,
} from '../../../shared/model/conversation/transcript'
import { toErrorReport } from '../base/failure'
import { findAmongRows, findInPage, type LandingTarget, type LinePoint } from './landing'
import {
  appendPage,
  appendRows,
  cursorAfter,
  cursorBefore,
  emptyRun,
  type PageRun,
  prependPage,
  startRun,
} from './pages'
import { keepShownKeys } from './shown-keys'

/** Rows loaded when a transcript opens, and at each edge after that. */
const openRows = 120
const edgeRows = 250

/** State of one edge of the run of pages. */
export type EdgeState =
  | { readonly type: 'rest' }
  | { readonly type: 'loading' }
  | { readonly type: 'failed'; readonly failure: ErrorReport }

/** State and actions of the transcript store. */
export interface TranscriptState {
  readonly key: LibraryKey | undefined
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  readonly failure: ErrorReport | undefined
  readonly run: PageRun
  /** Item keys that rows had before their own, by row key: streamed answers, rows whose file was renamed. */
  readonly shownAs: ReadonlyMap<string, string>
  /** Grows when all rows are replaced; the list then goes to `opensAt`. */
  readonly generation: number
  readonly opensAt: 'start' | 'end' | LinePoint
  readonly before: EdgeState
  readonly after: EdgeState
  /** Rows were appended after the end of the run. */
  readonly moreBelow: boolean
  /** The files were replaced while the reader was away from the end. */
  readonly changedOnDisk: boolean
  /** The way that is shown, where a conversation has branches inside; as in `TranscriptPage`. */
  readonly branches: TranscriptPage['branches']
  /** A notice for readers; as in `TranscriptPage`. */
  readonly notice: string | undefined
  readonly lock: LockState
  open(key: LibraryKey): Promise<void>
  /** Opens a conversation around a target, or goes there in the open one; at its end where the target is gone. */
  openAt(key: LibraryKey, target: LandingTarget): Promise<LandingOutcome>
  close(): void
  loadBefore(): Promise<void>
  loadAfter(): Promise<void>
  goToStart(): Promise<void>
  goToEnd(): Promise<void>
  foldAppended(appended: AppendedRows): void
  /** Adds item keys to `shownAs`. */
  showAs(shown: ReadonlyMap<string, string>): void
  foldChanged(key: string, isReadingUp: boolean): Promise<void>
  /** Reads the end again after the files were replaced; entries that are still there keep their keys. */
  readAgain(): Promise<void>
  foldLock(key: string, lock: LockState): void
}
/** Store of the open transcript. */
export type TranscriptStore = StoreApi<TranscriptState>

/** Outcome of a landing. */
export type LandingOutcome =
  /** Its row is here; `isFresh` where the rows were replaced for it. */
  | { readonly type: 'there'; readonly place: LinePoint; readonly isFresh: boolean }
  /** The line is not in the conversation any more; its end is shown. */
  | { readonly type: 'gone' }
  /** The rows could not be read; where the conversation was open already, it is shown as before. */
  | { readonly type: 'failed'; readonly failure: ErrorReport }
  /** Another conversation or place was opened meanwhile. */
  | { readonly type: 'left' }

/** Rows that were appended to a transcript, and the cursor after them. */
export interface AppendedRows {
  readonly key: string
  readonly rows: readonly TranscriptRow[]
  readonly after: Cursor
  /** The way that goes on with them; absent for the one to where the conversation is now. */
  readonly way?: WayName | undefined
}

const atRest: EdgeState = { type: 'rest' }
const closed = {
  key: undefined,
  phase: 'idle',
  failure: undefined,
  run: emptyRun,
  shownAs: new Map<string, string>(),
  opensAt: 'end',
  before: atRest,
  after: atRest,
  moreBelow: false,
  changedOnDisk: false,
  branches: undefined,
  notice: undefined,
  lock: { state: 'free' },
} as const

function wayIn(way: WayName | undefined): { readonly way?: WayName } {
  return way === undefined ? {} : { way }
}

/** Makes the store of the open transcript: a run of pages that follows what main appends. */
export function createTranscriptStore(api: Api): TranscriptStore {
  /** Rows appended while a page was loading: they may follow that page, so they are added again then. */
  let meanwhile: AppendedRows[] = []
  /** Grows with each request that replaces rows: answers to earlier ones are dropped. */
  let request = 0

  return createStore<TranscriptState>()((set, get) => {
    async function replaceRun(
      from: Extract<PageFrom, 'start' | 'end' | { around: unknown }>,
      isSamePlace: boolean,
      way?: WayName,
    ): Promise<boolean> {
      const { key } = get()
      if (key === undefined) return false
      const mine = ++request
      meanwhile = []
      const page = await api.transcript.page({ key, from, limit: openRows, ...wayIn(way) })
      if (mine !== request) return false
      const shown = page.branches?.way
      const run = meanwhile.reduce(
        (sum, { rows, after, way }) =>
          sum.atEnd && way === shown ? appendRows(sum, rows, after) : sum,
        startRun(page),
      )
      const isOtherWay = get().phase === 'ready' && get().branches?.way !== shown
      set(({ generation }) => ({
        run,
        opensAt: typeof from === 'string' ? from : from.around,
        generation: isSamePlace ? generation : generation + 1,
        before: atRest,
        after: atRest,
        moreBelow: false,
        changedOnDisk: false,
        branches: page.branches,
        notice: page.notice,
      }))
      // Rows are appended to the way that is watched.
      if (isOtherWay) await api.transcript.watch({ key, ...wayIn(shown) })
      return true
    }

    return {
      ...closed,
      generation: 0,

      async open(key) {
        set({ ...closed, key, phase: 'loading', shownAs: new Map() })
        try {
          if (!(await replaceRun('end', false))) return
          set({ phase: 'ready' })
          // After the page, since main reports appended rows from its end on.
          await api.transcript.watch({ key })
        } catch (error) {
          if (get().key === key) set({ phase: 'failed', failure: toErrorReport(error) })
        }
      },

      async openAt(key, target) {
        const isOpen = get().key === key && get().phase === 'ready'
        if (!isOpen) set({ ...closed, key, phase: 'loading', shownAs: new Map() })
        // No earlier request may replace the rows of the target.
        const mine = ++request
        set({ before: atRest, after: atRest })
        const here = isOpen ? findAmongRows(get().run.rows, target) : undefined
        if (here !== undefined) return { type: 'there', place: here, isFresh: false }
        try {
          const place =
            'entry' in target
              ? await api.transcript.locate({ key, entry: target.entry })
              : { file: target.file, offset: target.offset }
          if (mine !== request) return { type: 'left' }
          const arrived = await goAround(target, place)
          if (arrived === 'left') return { type: 'left' }
          if (!isOpen) {
            set({ phase: 'ready' })
            await api.transcript.watch({ key, ...wayIn(get().branches?.way) })
          }
          return arrived === 'gone'
            ? { type: 'gone' }
            : { type: 'there', place: arrived, isFresh: true }
        } catch (error) {
          if (get().key !== key) return { type: 'left' }
          const failure = toErrorReport(error)
          if (!isOpen) set({ phase: 'failed', failure })
          return { type: 'failed', failure }
        }
      },

      close() {
        request++
        set({ ...closed })
        // Not awaited: after a home was closed there is no watch to end.
        void api.transcript.watch({ key: null }).catch(() => undefined)
      },

      async loadBefore() {
        const { key, run, before } = get()
        const cursor = cursorBefore(run)
        if (key === undefined || cursor === undefined || before.type === 'loading') return
        set({ before: { type: 'loading' } })
        const mine = request
        try {
          const page = await api.transcript.page({ key, from: { before: cursor }, limit: edgeRows })
          if (mine === request)
            set((state) => ({ run: prependPage(state.run, page), before: atRest }))
        } catch (error) {
          if (mine === request) set({ before: { type: 'failed', failure: toErrorReport(error) } })
        }
      },

      async loadAfter() {
        const { key, run, after } = get()
        const cursor = cursorAfter(run)
        if (key === undefined || cursor === undefined || run.atEnd || after.type === 'loading')
          return
        set({ after: { type: 'loading' } })
        const mine = request
        meanwhile = []
        try {
          const page = await api.transcript.page({ key, from: { after: cursor }, limit: edgeRows })
          if (mine !== request) return
          set((state) => {
            const joined = appendPage(state.run, page)
            const run = meanwhile.reduce(
              (sum, { rows, after, way }) =>
                sum.atEnd && way === state.branches?.way ? appendRows(sum, rows, after) : sum,
              joined,
            )
            return { run, after: atRest, moreBelow: !run.atEnd && state.moreBelow }
          })
        } catch (error) {
          if (mine === request) set({ after: { type: 'failed', failure: toErrorReport(error) } })
        }
      },

      async goToStart() {
        if (cursorBefore(get().run) === undefined) return
        await replaceAt('before', 'start')
      },

      async goToEnd() {
        if (get().run.atEnd) return
        await replaceAt('after', 'end')
      },

      foldAppended({ key, rows, after, way }) {
        if (key !== get().key) return
        meanwhile.push({ key, rows, after, way })
        set(({ run, phase, branches }) => {
          if (phase !== 'ready' || branches?.way !== way) return {}
          return run.atEnd ? { run: appendRows(run, rows, after) } : { moreBelow: true }
        })
      },

      showAs: (shown) => set(({ shownAs }) => ({ shownAs: new Map([...shownAs, ...shown]) })),

      async foldChanged(key, isReadingUp) {
        const state = get()
        if (key !== state.key) return
        if (state.phase === 'failed') return state.open(state.key)
        if (isReadingUp) return set({ changedOnDisk: true })
        await state.readAgain()
      },

      async readAgain() {
        const { key, run } = get()
        if (key === undefined) return
        const { rows } = run
        try {
          if (!(await replaceRun('end', true))) return
          set(({ run: fresh, shownAs }) => ({ shownAs: keepShownKeys(rows, fresh.rows, shownAs) }))
          await api.transcript.watch({ key })
        } catch (error) {
          if (get().key === key) set({ phase: 'failed', failure: toErrorReport(error) })
        }
      },

      foldLock(key, lock) {
        if (key === get().key) set({ lock })
      },
    }

    /** Replaces the rows by those around a place, or by those at the end where there is no such line. */
    async function goAround(
      target: LandingTarget,
      place: LinePoint | null,
    ): Promise<LinePoint | 'gone' | 'left'> {
      if (place !== null) {
        const mine = request + 1
        try {
          const entry = 'entry' in target ? { entry: target.entry } : {}
          if (!(await replaceRun({ around: { ...place, ...entry } }, false))) return 'left'
          const found = findInPage(get().run.rows, target, place)
          if (found !== undefined) return found
        } catch (error) {
          if (mine !== request) return 'left'
          if (!(error instanceof AppError && error.code === 'not-found')) throw error
        }
      }
      return (await replaceRun('end', false)) ? 'gone' : 'left'
    }

    async function replaceAt(edge: 'before' | 'after', from: 'start' | 'end'): Promise<void> {
      set({ [edge]: { type: 'loading' } })
      try {
        await replaceRun(from, false, get().branches?.way)
      } catch (error) {
        set({ [edge]: { type: 'failed', failure: toErrorReport(error) } })
      }
    }
  })
}
