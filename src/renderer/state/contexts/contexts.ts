import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'
import { makeChange, type ReversibleChange } from './several-change'

/** Question before an action on a whole context. */
export type ContextQuestion = 'rename' | 'prompt' | 'color' | 'compact' | 'clear' | 'destroy'

/** System prompts of a context and of its home; null where there is none. */
export interface PromptText {
  readonly own: string | null
  readonly home: string | null
}

/** State and actions of the contexts store. */
export interface ContextsState {
  /** Keys of archived contexts. */
  readonly archived: ReadonlySet<string>
  /** True where the library shows only archived contexts. */
  readonly showsArchived: boolean
  /** The context with an open menu, and the menu's position in pixels of the window. */
  readonly menu: { readonly key: LibraryKey; readonly x: number; readonly y: number } | undefined
  readonly question: { readonly type: ContextQuestion; readonly key: LibraryKey } | undefined
  readonly isBusy: boolean
  /** The command that was copied last. */
  readonly copied: string | undefined
  /** Why the last action failed. */
  readonly failure: ErrorReport | undefined
  /** For the question `prompt`, once it is read. */
  readonly prompt: PromptText | undefined
  /** The context that was renamed last. */
  readonly renamed: { readonly from: LibraryKey; readonly to: LibraryKey } | undefined
  /** The context that was moved to the trash last, with its shown title, until another one is opened. */
  readonly destroyed: { readonly key: LibraryKey; readonly title: string } | undefined
  /** Loads which contexts are archived. */
  load(): Promise<void>
  showArchived(isShown: boolean): void
  openMenu(key: LibraryKey, x: number, y: number): void
  closeMenu(): void
  ask(type: ContextQuestion, key: LibraryKey): void
  /** Closes the question; an action in progress continues. */
  leave(): void
  /** This and the other actions resolve to true where it was done; the question is then closed. */
  rename(to: string): Promise<boolean>
  clear(withPage: boolean): Promise<boolean>
  destroy(): Promise<boolean>
  /** Null removes the context's own prompt. */
  savePrompt(text: string | null): Promise<boolean>
  setArchived(key: LibraryKey, isArchived: boolean): Promise<boolean>
  /** Keeps a conversation of any source at the top of the library, or no longer. */
  setPinned(key: LibraryKey, isPinned: boolean): Promise<boolean>
  /** Makes a change to one conversation, also while several others are being changed. */
  change(change: ReversibleChange, key: LibraryKey): Promise<boolean>
  /** Copies the command by which the conversation's own program goes on with it. @param write puts it on the clipboard */
  copyCommand(key: LibraryKey, write: (text: string) => Promise<void>): Promise<boolean>
  dismissCopied(): void
  dismissFailure(): void
  foldArchived(archived: readonly string[]): void
  foldRenamed(from: LibraryKey, to: LibraryKey): void
  foldDestroyed(key: LibraryKey, title: string): void
  forgetDestroyed(): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the actions on whole contexts. */
export type ContextsStore = StoreApi<ContextsState>

const nothing = {
  archived: new Set<string>(),
  showsArchived: false,
  menu: undefined,
  question: undefined,
  isBusy: false,
  failure: undefined,
  copied: undefined,
  prompt: undefined,
  renamed: undefined,
  destroyed: undefined,
} as const

/** Makes the store of the actions on whole contexts, one at a time, and of which contexts are archived. */
export function createContextsStore(api: Api): ContextsStore {
  /** Grows with each home: answers for an earlier one are dropped. */
  let generation = 0

  return createStore<ContextsState>()((set, get) => {
    /** Does what the question asks about; after a failure the question stays open. */
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
          // Without the list all are shown: none is hidden by mistake.
        }
      },

      showArchived: (showsArchived) => set({ showsArchived }),
      openMenu: (key, x, y) => set({ menu: { key, x, y }, copied: undefined }),
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

      setPinned: (key, pinned) => done(() => api.tags.setPinned({ key, pinned })),

      change: (change, key) => done(() => makeChange(api, change, key)),

      copyCommand: (key, write) =>
        done(async () => {
          set({ copied: undefined })
          const { command } = await api.continuing.command({ key })
          await write(command)
          set({ copied: command })
        }),
      dismissCopied: () => set({ copied: undefined }),
      dismissFailure: () => set({ failure: undefined }),

      foldArchived(archived) {
        set(({ showsArchived }) => ({
          archived: new Set(archived),
          // An empty list of archived contexts is left.
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
