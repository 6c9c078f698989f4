import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'

/** What is asked about before it is done to a context as a whole. */
export type ContextQuestion = 'rename' | 'prompt' | 'compact' | 'clear' | 'destroy'

/** A system prompt that is being looked at: the context's own (null: none), and what holds then. */
export interface PromptText {
  readonly own: string | null
  readonly home: string | null
}

export interface ContextsState {
  /** Keys of contexts that are put away. */
  readonly archived: ReadonlySet<string>
  /** The library shows those, and nothing else. */
  readonly showsArchived: boolean
  /** Of which context the menu is open, and where: in pixels of the window. */
  readonly menu: { readonly key: LibraryKey; readonly x: number; readonly y: number } | undefined
  readonly question: { readonly type: ContextQuestion; readonly key: LibraryKey } | undefined
  readonly isBusy: boolean
  /** Why what was asked for last was not done. */
  readonly failure: ErrorReport | undefined
  /** With the question about it, once it is read. */
  readonly prompt: PromptText | undefined
  /** What was given another name last. */
  readonly renamed: { readonly from: LibraryKey; readonly to: LibraryKey } | undefined
  /** What was moved to the trash last, and how it was called on the screen, until something else is opened. */
  readonly destroyed: { readonly key: LibraryKey; readonly title: string } | undefined
  /** Which are archived, as main knows it. */
  load(): Promise<void>
  showArchived(isShown: boolean): void
  openMenu(key: LibraryKey, x: number, y: number): void
  closeMenu(): void
  ask(type: ContextQuestion, key: LibraryKey): void
  /** Leaves the question; what goes on already goes on. */
  leave(): void
  /** The acts resolve to whether it was done; then the question is closed. */
  rename(to: string): Promise<boolean>
  clear(withPage: boolean): Promise<boolean>
  destroy(): Promise<boolean>
  /** Null takes the context's own prompt away. */
  savePrompt(text: string | null): Promise<boolean>
  setArchived(key: LibraryKey, isArchived: boolean): Promise<boolean>
  dismissFailure(): void
  foldArchived(archived: readonly string[]): void
  foldRenamed(from: LibraryKey, to: LibraryKey): void
  foldDestroyed(key: LibraryKey, title: string): void
  forgetDestroyed(): void
  /** Another home is open. */
  reset(): void
}
export type ContextsStore = StoreApi<ContextsState>

const nothing = {
  archived: new Set<string>(),
  showsArchived: false,
  menu: undefined,
  question: undefined,
  isBusy: false,
  failure: undefined,
  prompt: undefined,
  renamed: undefined,
  destroyed: undefined,
} as const

/** What a person does with contexts as wholes, one thing at a time. */
export function createContextsStore(api: Api): ContextsStore {
  /** Makes answers void that are of another home. */
  let generation = 0

  return createStore<ContextsState>()((set, get) => {
    /** Does what the question is about; it stays open, with words, where that fails. */
    async function answer(act: (key: LibraryKey) => Promise<unknown>): Promise<boolean> {
      const { question, isBusy } = get()
      if (question === undefined || isBusy) return false
      const isDone = await done(() => act(question.key))
      if (isDone && get().question === question) get().leave()
      return isDone
    }

    async function done(act: () => Promise<unknown>): Promise<boolean> {
      const mine = generation
      set({ isBusy: true, failure: undefined })
      try {
        await act()
        return true
      } catch (error) {
        if (mine === generation) set({ failure: toErrorReport(error) })
        return false
      } finally {
        if (mine === generation) set({ isBusy: false })
      }
    }

    async function readPrompt(key: LibraryKey): Promise<void> {
      const { question } = get()
      try {
        const prompt = await api.contexts.readPrompt({ key })
        if (get().question === question) set({ prompt })
      } catch (error) {
        if (get().question === question) set({ failure: toErrorReport(error) })
      }
    }

    return {
      ...nothing,

      async load() {
        const mine = generation
        try {
          const archived = await api.contexts.archived()
          if (mine === generation) get().foldArchived(archived)
        } catch {
          // Then all are shown: nothing is hidden that nobody put away.
        }
      },

      showArchived: (showsArchived) => set({ showsArchived }),
      openMenu: (key, x, y) => set({ menu: { key, x, y } }),
      closeMenu: () => set({ menu: undefined }),

      ask(type, key) {
        set({ question: { type, key }, failure: undefined, prompt: undefined })
        if (type === 'prompt') void readPrompt(key)
      },
      leave() {
        set({ question: undefined, failure: undefined, prompt: undefined })
      },

      rename: (to) => answer((key) => api.contexts.rename({ key, to })),
      clear: (page) => answer((key) => api.contexts.clear({ key, page })),
      destroy: () => answer((key) => api.contexts.destroy({ key })),
      savePrompt: (text) =>
        answer((key) => api.contexts.writePrompt({ key, text, before: get().prompt?.own ?? null })),
      setArchived: (key, archived) => done(() => api.contexts.setArchived({ key, archived })),

      dismissFailure: () => set({ failure: undefined }),

      foldArchived(archived) {
        set(({ showsArchived }) => ({
          archived: new Set(archived),
          // An empty shelf is left.
          showsArchived: showsArchived && archived.length > 0,
        }))
      },
      foldRenamed: (from, to) => set({ renamed: { from, to } }),
      foldDestroyed: (key, title) => set({ destroyed: { key, title } }),
      forgetDestroyed: () => set({ destroyed: undefined }),

      reset() {
        generation += 1
        set(nothing)
      },
    }
  })
}
