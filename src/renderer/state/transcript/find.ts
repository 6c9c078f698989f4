import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { WayName } from '../../../shared/model/conversation/transcript'
import type {
  FindAnswer,
  FindLine,
  FoundPlace,
  FoundTexts,
  WantedText,
} from '../../../shared/model/find/find'
import { toErrorReport } from '../base/failure'
import type { LinePoint } from './landing'

/** Options of finding that a person turns on and off. */
export type FindOption = 'matchesCase' | 'wantsWholeWords' | 'isRegex'

/** A match by its row and its number there. */
export interface FoundAt {
  readonly row: number
  readonly nth: number
}

/** State and actions of finding in the open conversation. */
export interface FindState {
  readonly isOpen: boolean
  /** The conversation, and the way through it. */
  readonly key: LibraryKey | undefined
  readonly way: WayName | undefined
  readonly wanted: WantedText
  /** What `answer` answers. */
  readonly asked: WantedText | undefined
  readonly answer: FindAnswer | undefined
  readonly isAsking: boolean
  readonly failure: ErrorReport | undefined
  /** The match that the reader was led to, and where it is. */
  readonly current: FoundAt | undefined
  readonly place: FoundPlace | undefined
  /** Grows when the conversation has changed since the answer. */
  readonly changes: number
  /** Counts the times that the field was asked to take the focus with all its text selected. */
  readonly opens: number
  open(key: LibraryKey, way: WayName | undefined): void
  close(): void
  setText(text: string): void
  toggle(option: FindOption): void
  /**
   * Counts the matches of what is wanted; resolves to the answer, undefined where another question came meanwhile or it failed.
   *
   * @param near where the reader is
   */
  ask(near?: LinePoint): Promise<FindAnswer | undefined>
  /** Counts again, since the conversation has changed: after the question that is under way, whose answer stays the one that is waited for. */
  askAgain(): Promise<void>
  /** Finds where a match is, and makes it the current one; undefined where it is gone, or another one was asked for. */
  goTo(match: FoundAt): Promise<FoundPlace | undefined>
  /** Finds what matches in some lines, to mark it; undefined where another question came meanwhile or it failed. */
  textsIn(lines: readonly FindLine[]): Promise<readonly FoundTexts[] | undefined>
  foldChanged(key: string): void
  /** Another conversation, or another way through it, is shown. */
  follow(key: LibraryKey | undefined, way: WayName | undefined): void
}
/** Store of finding in the open conversation. */
export type FindStore = StoreApi<FindState>

const nothing = {
  asked: undefined,
  answer: undefined,
  isAsking: false,
  failure: undefined,
  current: undefined,
  place: undefined,
} as const

/** Makes the store of finding in the open conversation. */
export function createFindStore(api: Api): FindStore {
  /** The last question; answers of earlier ones are dropped. */
  let last = 0
  /** Ends with the last question's answer; undefined while nothing is asked. */
  let running: Promise<unknown> | undefined
  let isAskedAgain = false
  return createStore<FindState>()((set, get) => {
    function want(wanted: WantedText): void {
      last += 1
      set({ wanted, isAsking: false, ...(wanted.text === '' ? nothing : {}) })
    }

    function askedOf(): { key: LibraryKey; way?: WayName; wanted: WantedText } | undefined {
      const { key, way, wanted } = get()
      if (key === undefined || wanted.text === '') return undefined
      return { key, wanted, ...(way === undefined ? {} : { way }) }
    }

    /** Answers a question and keeps its answer, unless another one has come. Never fails. */
    async function answered(
      mine: number,
      question: Parameters<Api['finding']['find']>[0],
    ): Promise<FindAnswer | undefined> {
      try {
        const answer = await api.finding.find(question)
        if (mine !== last) return undefined
        set(({ current, place: shown }) => {
          const isThere = current !== undefined && countAt(answer, current.row) > current.nth
          const kept = isThere ? { current, place: shown } : nothing
          return { ...nothing, ...kept, asked: question.wanted, answer, isAsking: false }
        })
        return answer
      } catch (error) {
        if (mine === last) set({ ...nothing, failure: toErrorReport(error) })
        return undefined
      }
    }

    return {
      ...nothing,
      isOpen: false,
      key: undefined,
      way: undefined,
      wanted: { text: '', matchesCase: false, wantsWholeWords: false, isRegex: false },
      changes: 0,
      opens: 0,

      open: (key, way) => set(({ opens }) => ({ isOpen: true, key, way, opens: opens + 1 })),
      close() {
        if (!get().isOpen) return
        last += 1
        set({ ...nothing, isOpen: false })
        // Not awaited: a home that was closed meanwhile holds nothing.
        void api.finding.forget().catch(() => undefined)
      },
      setText: (text) => want({ ...get().wanted, text }),
      toggle: (option) => want({ ...get().wanted, [option]: !get().wanted[option] }),

      async ask(near) {
        const mine = ++last
        const asked = askedOf()
        if (asked === undefined) return undefined
        set({ isAsking: true })
        const place = near === undefined ? {} : { near: { file: near.file, offset: near.offset } }
        const mineRuns = answered(mine, { ...asked, ...place })
        running = mineRuns
        try {
          return await mineRuns
        } finally {
          if (running === mineRuns) running = undefined
        }
      },

      async askAgain() {
        if (isAskedAgain) return
        isAskedAgain = true
        try {
          while (running !== undefined) await running
        } finally {
          isAskedAgain = false
        }
        const { isOpen, asked, wanted } = get()
        // What was typed meanwhile is asked for in any case.
        if (isOpen && (asked === undefined || asked === wanted)) await get().ask()
      },

      async goTo(match) {
        const asked = askedOf()
        const { asked: wanted } = get()
        if (asked === undefined || wanted === undefined) return undefined
        const { wanted: typed } = get()
        // Counting again, since the conversation has grown, takes no step back.
        const isWanted = () => get().current === match && get().wanted === typed
        set({ current: match })
        try {
          const place = await api.finding.place({ ...asked, wanted, ...match })
          if (!isWanted()) return undefined
          set({ place: place ?? undefined })
          return place ?? undefined
        } catch (error) {
          if (isWanted()) set({ failure: toErrorReport(error) })
          return undefined
        }
      },

      async textsIn(lines) {
        const { key, way, asked: wanted } = get()
        if (key === undefined || wanted === undefined) return undefined
        const question = { key, wanted, lines: [...lines], ...(way === undefined ? {} : { way }) }
        try {
          const texts = await api.finding.texts(question)
          return get().asked === wanted ? texts : undefined
        } catch {
          // Marks alone are missing: the next answer asks again.
          return undefined
        }
      },

      foldChanged(key) {
        if (get().isOpen && key === get().key) set(({ changes }) => ({ changes: changes + 1 }))
      },
      follow(key, way) {
        const { isOpen, key: here, way: through } = get()
        if (!isOpen || (key === here && way === through)) return
        if (key !== here) return get().close()
        // What is asked now is asked of another way.
        last += 1
        running = undefined
        set(({ changes }) => ({ ...nothing, way, changes: changes + 1 }))
      },
    }
  })
}

function countAt({ rows, counts }: FindAnswer, row: number): number {
  return counts[rows.indexOf(row)] ?? 0
}

/** Returns the number of a match among all, from 1 on; 0 where it is not among them. */
export function matchNumber({ rows, counts }: FindAnswer, { row, nth }: FoundAt): number {
  const at = rows.indexOf(row)
  if (at < 0) return 0
  return counts.slice(0, at).reduce((sum, count) => sum + count, 0) + nth + 1
}

/** Returns the match after or before another, around the ends; undefined where there is none. */
export function nextMatch(
  { rows, counts }: FindAnswer,
  { row, nth }: FoundAt,
  step: 1 | -1,
): FoundAt | undefined {
  const at = rows.indexOf(row)
  if (step === 1 && nth + 1 < (counts[at] ?? 0)) return { row, nth: nth + 1 }
  if (step === -1 && nth > 0) return { row, nth: nth - 1 }
  const next = (at + step + rows.length) % rows.length
  const found = rows[next]
  if (found === undefined) return undefined
  return { row: found, nth: step === 1 ? 0 : (counts[next] ?? 1) - 1 }
}
