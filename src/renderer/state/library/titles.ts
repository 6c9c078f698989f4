import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { TitlePreview } from '../../../shared/ipc/conversations/titles'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import { AppError } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'

/** A person writes a title, or a model is to be asked for one. */
export type TitleQuestion = 'write' | 'ask'

export interface TitlesState {
  readonly question: { readonly type: TitleQuestion; readonly key: LibraryKey } | undefined
  /** With `ask`: what would be sent, and where, once it is known. */
  readonly preview: TitlePreview | undefined
  readonly isBusy: boolean
  /** Why what was asked for last was not done. */
  readonly failure: ErrorReport | undefined
  /** What was done last, for whoever does not see the list. */
  readonly told: string | undefined
  open(type: TitleQuestion, key: LibraryKey): void
  /** Leaves the question; a model that is being asked is stopped. */
  leave(): void
  /** The acts resolve to whether it was done; then the question is closed. */
  write(title: string): Promise<boolean>
  ask(): Promise<boolean>
  /** The conversation is called as it was before; without a question. */
  remove(key: LibraryKey): Promise<boolean>
  dismissFailure(): void
  /** Another home is open. */
  reset(): void
}
export type TitlesStore = StoreApi<TitlesState>

const nothing = {
  question: undefined,
  preview: undefined,
  isBusy: false,
  failure: undefined,
  told: undefined,
} as const

/** Titles that are given to conversations, one at a time. The rows that change come as any other change of the library. */
export function createTitlesStore(api: Api): TitlesStore {
  /** Makes answers void that are of another home, or of a question that was left. */
  let generation = 0

  return createStore<TitlesState>()((set, get) => {
    /** Does what is asked for; the question stays open, with words, where that fails. */
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
