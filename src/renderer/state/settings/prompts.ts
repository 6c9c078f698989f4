import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import { AppError, type ErrorReport } from '../../../shared/model/basics/errors'
import {
  promptFile,
  promptMessage,
  type SavedPrompt,
} from '../../../shared/model/settings/saved-prompts'
import { toErrorReport } from '../base/failure'

/** Prompt that was saved from a draft last, with the text that the file had before. */
interface WrittenPrompt {
  readonly name: string
  readonly text: string
  /** Null where the file was not there. */
  readonly before: string | null
}

/** State and actions of the store of saved prompts. */
export interface PromptsState {
  /** Undefined until they are read. */
  readonly prompts: readonly SavedPrompt[] | undefined
  readonly isLoading: boolean
  /** Why they could not be listed. */
  readonly failure: ErrorReport | undefined
  /** Name of the prompt that is being read for a message. */
  readonly taking: string | undefined
  /** Why the last one did not come into the message, until it is dismissed or another one is taken. */
  readonly unread: ErrorReport | undefined
  /** Text for which a name is being asked. */
  readonly question: string | undefined
  readonly isSaving: boolean
  /** Why the text was not saved, or the save not undone. */
  readonly refusal: ErrorReport | undefined
  /** Name that turned out to be another prompt's when the text was saved. */
  readonly occupied: string | undefined
  /** The last one saved from a draft, until its undo or the next one. */
  readonly written: WrittenPrompt | undefined
  load(): Promise<void>
  /**
   * Reads a prompt as it goes into a message; undefined where it cannot be read, which `unread` tells then, or another one is taken
   * meanwhile.
   */
  read(name: string): Promise<string | undefined>
  /** Tells that a prompt came when the message had changed. */
  miss(name: string): void
  dismissUnread(): void
  /** Asks for a name for a text. */
  ask(text: string): void
  leave(): void
  /**
   * Saves the text of the question. Only with `replaces` in place of a prompt with that name: else that one is told as `occupied`.
   * Resolves to whether it is on the disk.
   */
  save(name: string, replaces: boolean): Promise<boolean>
  /** Restores the file as it was before the last save. */
  undo(): Promise<boolean>
  dismissWritten(): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of saved prompts. */
export type PromptsStore = StoreApi<PromptsState>

const nothing = {
  prompts: undefined,
  isLoading: false,
  failure: undefined,
  taking: undefined,
  unread: undefined,
  occupied: undefined,
  question: undefined,
  isSaving: false,
  refusal: undefined,
  written: undefined,
} as const

/** Makes the store of saved prompts. */
export function createPromptsStore(api: Api): PromptsStore {
  /** Grows with each home: answers for an earlier one are dropped. */
  let generation = 0
  /** Grow with each reading: answers for an earlier one are dropped. */
  let loads = 0
  let reads = 0

  return createStore<PromptsState>()((set, get) => {
    async function write(
      name: string,
      text: string | null,
      before: string | null,
    ): Promise<boolean> {
      const mine = generation
      const file = promptFile(name)
      if (file === undefined) return false
      set({ isSaving: true, refusal: undefined })
      try {
        await api.settings.writeText({ name: file, text, before })
        if (mine !== generation) return false
        set({ isSaving: false })
        void get().load()
        return true
      } catch (error) {
        if (mine === generation) set({ isSaving: false, refusal: toErrorReport(error) })
        return false
      }
    }

    return {
      ...nothing,

      async load() {
        loads += 1
        const mine = loads
        set({ isLoading: true })
        try {
          const prompts = await api.settings.prompts()
          if (mine === loads) set({ prompts, isLoading: false, failure: undefined })
        } catch (error) {
          if (mine === loads) set({ isLoading: false, failure: toErrorReport(error) })
        }
      },

      async read(name) {
        reads += 1
        const mine = reads
        const file = promptFile(name)
        if (file === undefined) return undefined
        set({ taking: name, unread: undefined })
        try {
          const { text } = await api.settings.readText({ name: file })
          if (mine !== reads) return undefined
          set({ taking: undefined })
          if (text !== null) return promptMessage(text)
          throw new AppError('not-found', `/${name} is not there any more.`)
        } catch (error) {
          if (mine === reads) set({ taking: undefined, unread: toErrorReport(error) })
        }
        if (mine === reads) void get().load()
        return undefined
      },

      miss: (name) =>
        set({
          unread: toErrorReport(
            new AppError('busy', `The message changed before /${name} was read. Choose it again.`),
          ),
        }),
      dismissUnread: () => set({ unread: undefined }),

      ask: (question) => set({ question, refusal: undefined, occupied: undefined }),
      leave: () => set({ question: undefined, refusal: undefined, occupied: undefined }),

      async save(name, replaces) {
        const { question: text } = get()
        const file = promptFile(name)
        if (text === undefined || file === undefined) return false
        const mine = generation
        let before: string | null = null
        try {
          if (replaces) before = (await api.settings.readText({ name: file })).text
        } catch (error) {
          if (mine === generation) set({ refusal: toErrorReport(error) })
          return false
        }
        const isSaved = await write(name, text, before)
        if (isSaved)
          set({ question: undefined, occupied: undefined, written: { name, text, before } })
        else if (get().refusal?.code === 'busy' && !replaces)
          set({
            occupied: name,
            refusal: toErrorReport(
              new AppError(
                'busy',
                `There is a prompt /${name} by now. Replace it, or take another name.`,
              ),
            ),
          })
        return isSaved
      },

      async undo() {
        const { written } = get()
        if (written === undefined) return false
        const isUndone = await write(written.name, written.before, written.text)
        if (isUndone) set({ written: undefined })
        return isUndone
      },

      dismissWritten: () => set({ written: undefined, refusal: undefined }),

      reset() {
        generation += 1
        loads += 1
        reads += 1
        set(nothing)
      },
    }
  })
}
