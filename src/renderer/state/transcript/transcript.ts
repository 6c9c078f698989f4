import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { AppError, type ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey, LockState } from '../../../shared/model/conversation/conversation'
import type {
  PageFrom,
  TranscriptPage,
  WayName,
} from '../../../shared/model/conversation/transcript'
import { toErrorReport } from '../base/failure'
import { atRest, type EdgeState, edgeLoading } from './edges'
import {
  findAmongRows,
  findInPage,
  type LandingTarget,
  type LinePoint,
  linePointOf,
} from './landing'
import { appendRows, cursorBefore, emptyRun, type PageRun, rowNear, startRun } from './pages'
import { type AppendedRows, rowRequests } from './row-requests'
import { keepShownKeys } from './shown-keys'

/** Rows loaded when a transcript opens. */
const openRows = 120

/** Place at which a list of rows opens: an end, or a line, a third below the top or at the very top. */
export type OpeningPlace = 'start' | 'end' | (LinePoint & { readonly isAtTop?: boolean })

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
  readonly opensAt: OpeningPlace
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
  /**
   * Goes to the row at so many bytes of the transcript: the rows are replaced by those around it. They are dropped where the reader went
   * on before they came.
   */
  goNear(bytes: number, isStillThere: () => boolean): Promise<void>
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

function openingPlace(
  run: PageRun,
  from: 'start' | 'end' | { readonly around: LinePoint } | { readonly near: number },
): OpeningPlace {
  if (typeof from === 'string') return from
  if ('around' in from) return from.around
  const row = rowNear(run, from.near)
  return row === undefined ? 'end' : { ...linePointOf(row), isAtTop: true }
}

/** Makes the store of the open transcript: a run of pages that follows what main appends. */
export function createTranscriptStore(api: Api): TranscriptStore {
  const requests = rowRequests()

  return createStore<TranscriptState>()((set, get) => {
    async function replaceRun(
      from: Extract<PageFrom, 'start' | 'end' | { around: unknown } | { near: number }>,
      isSamePlace: boolean,
      way?: WayName,
      isWanted = () => true,
    ): Promise<boolean> {
      const { key } = get()
      if (key === undefined) return false
      const mine = requests.begin()
      const collected = requests.collect()
      const page = await api.transcript
        .page({ key, from, limit: openRows, ...wayIn(way) })
        .finally(collected.end)
      if (mine !== requests.latest() || !isWanted()) return false
      const shown = page.branches?.way
      const run = collected.after(startRun(page), shown)
      const isOtherWay = get().phase === 'ready' && get().branches?.way !== shown
      set(({ generation }) => ({
        run,
        opensAt: openingPlace(run, from),
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
        const mine = requests.begin()
        set({ before: atRest, after: atRest })
        const here = isOpen ? findAmongRows(get().run.rows, target) : undefined
        if (here !== undefined) return { type: 'there', place: here, isFresh: false }
        try {
          const place =
            'file' in target
              ? { file: target.file, offset: target.offset }
              : await api.transcript.locate({ key, entry: target.entry })
          if (mine !== requests.latest()) return { type: 'left' }
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
        requests.begin()
        set({ ...closed })
        // Not awaited: after a home was closed there is no watch to end.
        void api.transcript.watch({ key: null }).catch(() => undefined)
      },

      ...edgeLoading(api, { requests, set, get }),

      async goToStart() {
        if (cursorBefore(get().run) === undefined) return
        await replaceAt('before', 'start')
      },

      async goToEnd() {
        if (get().run.atEnd) return
        await replaceAt('after', 'end')
      },

      goNear: (bytes, isStillThere) =>
        replaceAt('before', { near: Math.max(0, Math.round(bytes)) }, isStillThere),

      foldAppended({ key, rows, after, way }) {
        if (key !== get().key) return
        requests.add({ key, rows, after, way })
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
        const mine = requests.latest() + 1
        try {
          const { entry } = target
          const around = entry === undefined ? place : { ...place, entry }
          if (!(await replaceRun({ around }, false))) return 'left'
          const found = findInPage(get().run.rows, target, place)
          if (found !== undefined) return found
        } catch (error) {
          if (mine !== requests.latest()) return 'left'
          if (!(error instanceof AppError && error.code === 'not-found')) throw error
        }
      }
      return (await replaceRun('end', false)) ? 'gone' : 'left'
    }

    async function replaceAt(
      edge: 'before' | 'after',
      from: 'start' | 'end' | { readonly near: number },
      isWanted?: () => boolean,
    ): Promise<void> {
      const loading: EdgeState = { type: 'loading' }
      const leaveAt = (state: EdgeState) => {
        if (get()[edge] === loading) set({ [edge]: state })
      }
      set({ [edge]: loading })
      const mine = requests.latest() + 1
      try {
        await replaceRun(from, false, get().branches?.way, isWanted)
        leaveAt(atRest)
      } catch (error) {
        // Where another place was asked for meanwhile, this one is of no concern.
        const isLatest = mine === requests.latest()
        leaveAt(isLatest ? { type: 'failed', failure: toErrorReport(error) } : atRest)
      }
    }
  })
}
