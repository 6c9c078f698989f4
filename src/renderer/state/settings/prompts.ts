import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
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
  /** Why they could not be listed. */
  readonly failure: ErrorReport | undefined
  /** Text for which a name is being asked. */
  readonly question: string | undefined
  readonly isSaving: boolean
  /** Why the text was not saved. */
  readonly refusal: ErrorReport | undefined
  /** The last one saved from a draft, until its undo or the next one. */
  readonly written: WrittenPrompt | undefined
  load(): Promise<void>
  /** Reads a prompt as it goes into a message; undefined where it cannot be read, or is not there any more. */
  read(name: string): Promise<string | undefined>
  /** Asks for a name for a text. */
  ask(text: string): void
  leave(): void
  /** Saves the text of the question, in place of a prompt with that name. Resolves to whether it is on the disk. */
  save(name: string): Promise<boolean>
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
  failure: undefined,
  question: undefined,
  isSaving: false,
  refusal: undefined,
  written: undefined,
} as const

/** Makes the store of saved prompts. */
export function createPromptsStore(api: Api): PromptsStore {
  /** Grows with each home: answers for an earlier one are dropped. */
  let generation = 0

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
        const mine = generation
        try {
          const prompts = await api.settings.prompts()
          if (mine === generation) set({ prompts, failure: undefined })
        } catch (error) {
          if (mine === generation) set({ failure: toErrorReport(error) })
        }
      },

      async read(name) {
        const file = promptFile(name)
        if (file === undefined) return undefined
        try {
          const { text } = await api.settings.readText({ name: file })
          if (text !== null) return promptMessage(text)
        } catch {
          // The list that is read now says why.
        }
        await get().load()
        return undefined
      },

      ask: (question) => set({ question, refusal: undefined }),
      leave: () => set({ question: undefined, refusal: undefined }),

      async save(name) {
        const { question: text } = get()
        const file = promptFile(name)
        if (text === undefined || file === undefined) return false
        let before: string | null
        try {
          before = (await api.settings.readText({ name: file })).text
        } catch (error) {
          set({ refusal: toErrorReport(error) })
          return false
        }
        const isSaved = await write(name, text, before)
        if (isSaved) set({ question: undefined, written: { name, text, before } })
        return isSaved
      },

      async undo() {
        const { written } = get()
        if (written === undefined) return false
        const isUndone = await write(written.name, written.before, written.text)
        if (isUndone) set({ written: undefined })
        return isUndone
      },

      dismissWritten: () => set({ written: undefined }),

      reset() {
        generation += 1
        set(nothing)
      },
    }
  })
}
