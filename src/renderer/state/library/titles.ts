import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { TitlePreview } from '../../../shared/ipc/conversations/titles'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'

/** Question about a title: a person writes one, or a model is asked for one. */
export type TitleQuestion = 'write' | 'ask'

/** State and actions of the titles store. */
export interface TitlesState {
  readonly question: { readonly type: TitleQuestion; readonly key: LibraryKey } | undefined
  /** For `ask`: what would be sent, and where, once known. */
  readonly preview: TitlePreview | undefined
  readonly isBusy: boolean
  /** Why the last action failed. */
  readonly failure: ErrorReport | undefined
  /** The last outcome, for screen readers. */
  readonly told: string | undefined
  open(type: TitleQuestion, key: LibraryKey): void
  /** Closes the question; a request in progress is cancelled. */
  leave(): void
  /** This and the other actions resolve to true where it was done; the question is then closed. */
  write(title: string): Promise<boolean>
  ask(): Promise<boolean>
  /** Removes the given title, without a question. */
  remove(key: LibraryKey): Promise<boolean>
  dismissFailure(): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the dialogs for titles. */
export type TitlesStore = StoreApi<TitlesState>

const nothing = {
  question: undefined,
  preview: undefined,
  isBusy: false,
  failure: undefined,
  told: undefined,
} as const

/**
 * Makes the store that gives titles, one at a time. It does not change rows: those come as changes of the library.
 */
export function createTitlesStore(api: Api): TitlesStore {
  /** Grows with each home and closed question: answers for an earlier one are dropped. */
  let generation = 0

  return createStore<TitlesState>()((set, get) => {
    /** Runs an action; after a failure the question stays open. */
    async function done(act: () => Promise<string>): Promise<boolean> {
      if (get().isBusy) return false
      const mine = ++generation
      set({ isBusy: true, failure: undefined, told: undefined })
      try {
        const told = await act()
        if (mine === generation) set({ ...nothing, told })
        return true
      } catch (error) {
        if (mine === generation) set({ isBusy: false, failure: toErrorReport(error) })
        return false
      }
    }

    async function readPreview(key: LibraryKey): Promise<void> {
      const { question } = get()
      try {
        const preview = await api.titles.preview({ key })
        if (get().question === question) set({ preview })
      } catch (error) {
        if (get().question === question) set({ failure: toErrorReport(error) })
      }
    }

    return {
      ...nothing,

      open(type, key) {
        if (get().isBusy) return
        set({ ...nothing, question: { type, key } })
        if (type === 'ask') void readPreview(key)
      },
      leave() {
        const { question, isBusy } = get()
        if (question?.type === 'ask' && isBusy)
          void api.titles.cancel({ key: question.key }).catch(() => undefined)
        generation++
        set(nothing)
      },

      async write(title) {
        const { question } = get()
        if (question === undefined) return false
        return done(async () => {
          await api.titles.set({ key: question.key, title })
          return 'Title saved.'
        })
      },
      async ask() {
        const { question } = get()
        if (question === undefined) return false
        return done(async () => {
          const end = await api.titles.ask({ key: question.key })
          switch (end.outcome) {
            case 'titled':
              return `New title: “${end.title}”.`
            case 'kept':
              return 'The title was changed meanwhile and stays.'
            case 'stopped':
              return ''
            case 'nothing':
              throw new AppError('bad-argument', 'There is nothing to title yet.')
            case 'failed':
              throw new AppError('io', end.words)
          }
        })
      },
      remove: (key) =>
        done(async () => {
          await api.titles.set({ key, title: null })
          return 'Title removed.'
        }),

      dismissFailure: () => set({ failure: undefined }),
      reset() {
        generation++
        set(nothing)
      },
    }
  })
}
