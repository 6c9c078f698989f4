import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { StatisticsAnswer, StatisticsQuestion } from '../../../shared/model/statistics/answer'
import type { StatisticsMark } from '../../../shared/model/statistics/marks'
import type { StatisticsFilter } from '../../../shared/model/statistics/selection'
import { browserClock, type StoreClock } from '../base/clock'
import { toErrorReport } from '../base/failure'
import { daysOfRange, type StatisticsRange } from './time-ranges'

/** Choices of a person of what is shown; an absent field shows all. */
export type StatisticsChoices = Pick<StatisticsFilter, 'source' | 'project' | 'model'>

/** State and actions of the statistics store. */
export interface StatisticsState {
  readonly isOpen: boolean
  /** True where closing the view goes elsewhere, so that the focus does not return. */
  readonly leavesFocus: boolean
  readonly range: StatisticsRange
  readonly chosen: StatisticsChoices
  /** Pictures that are shown as a table, by their names. */
  readonly tables: ReadonlySet<string>
  /** The last answer, and what it answers. */
  readonly answer: StatisticsAnswer | undefined
  readonly question: StatisticsQuestion | undefined
  /** True while an answer to another range or choice is on its way. */
  readonly isReading: boolean
  /** Why the last call failed; an earlier answer stays. */
  readonly failure: ErrorReport | undefined
  open(): void
  /** Opens the view with what it showed before. */
  openAs(range: StatisticsRange, chosen: StatisticsChoices): void
  hide(leavesFocus?: boolean): void
  setRange(range: StatisticsRange): void
  choose(choices: StatisticsChoices): void
  toggleTable(picture: string): void
  /** Asks again: after a failure, or when conversations changed. */
  read(): Promise<void>
  foldChanged(): void
  /** Resolves to the conversations of a mark of the answer that is shown; undefined where they cannot be had. */
  conversationsOf(mark: StatisticsMark): Promise<readonly LibraryKey[] | undefined>
  /** Clears everything but the range: another home is open. */
  reset(): void
}
/** Store of the statistics. */
export type StatisticsStore = StoreApi<StatisticsState>

/** Main is told of most changes; contexts that nobody has open it looks at when it is asked. In ms. */
const lookEveryMs = 20_000

const nothing = {
  isOpen: false,
  leavesFocus: false,
  chosen: {},
  answer: undefined,
  question: undefined,
  isReading: false,
  failure: undefined,
} as const

/** Makes the store of the statistics. It asks main while the view is open, and again when main reports a change. */
export function createStatisticsStore(api: Api, clock: StoreClock = browserClock): StatisticsStore {
  /** Grows with each question: answers to an earlier one are dropped. */
  let generation = 0
  /** The question that is on its way. */
  let asking: string | undefined
  let isAskedAgain = false
  let stopLooking: (() => void) | undefined

  return createStore<StatisticsState>()((set, get) => {
    function question(): StatisticsQuestion {
      const { range, chosen } = get()
      const { step, ...days } = daysOfRange(range, clock.now())
      return { filter: { ...days, ...chosen }, ...(step === undefined ? {} : { step }) }
    }

    function lookLater(): void {
      stopLooking = clock.after(lookEveryMs, () => {
        void get().read()
        lookLater()
      })
    }

    return {
      ...nothing,
      range: '12w',
      tables: new Set(),

      open() {
        if (get().isOpen) return
        set({ isOpen: true, leavesFocus: false })
        void get().read()
        lookLater()
      },

      openAs(range, chosen) {
        set({ range, chosen })
        if (get().isOpen) void get().read()
        else get().open()
      },

      hide(leavesFocus = false) {
        stopLooking?.()
        if (get().isOpen) set({ isOpen: false, leavesFocus })
      },

      setRange(range) {
        set({ range })
        void get().read()
      },

      choose(chosen) {
        set({ chosen })
        void get().read()
      },

      toggleTable(picture) {
        const tables = new Set(get().tables)
        if (!tables.delete(picture)) tables.add(picture)
        set({ tables })
      },

      async read() {
        const asked = question()
        // The one on its way may be older than the change; dropped, a stream of changes would keep every answer away.
        if (JSON.stringify(asked) === asking) {
          isAskedAgain = true
          return
        }
        const mine = ++generation
        asking = JSON.stringify(asked)
        isAskedAgain = false
        set({ isReading: true })
        try {
          const answer = await api.statistics.read(asked)
          if (mine !== generation) return
          set({ answer, question: asked, isReading: false, failure: undefined })
        } catch (error) {
          if (mine !== generation) return
          set({ isReading: false, failure: toErrorReport(error) })
        }
        asking = undefined
        if (isAskedAgain && get().isOpen) void get().read()
      },

      foldChanged() {
        if (get().isOpen) void get().read()
      },

      async conversationsOf(mark) {
        const { question: asked } = get()
        if (asked === undefined) return undefined
        const mine = generation
        try {
          const { keys } = await api.statistics.conversations({ filter: asked.filter, mark })
          return keys
        } catch (error) {
          if (mine === generation) set({ failure: toErrorReport(error) })
          return undefined
        }
      },

      reset() {
        generation++
        stopLooking?.()
        asking = undefined
        set(nothing)
      },
    }
  })
}
