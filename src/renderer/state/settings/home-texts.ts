import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { HomeText, HomeTextName } from '../../../shared/model/settings/home-texts'
import { deletedPromptOf, promptNameOf } from '../../../shared/model/settings/saved-prompts'
import { toErrorReport } from '../base/failure'

/** Text of the home that is being edited. */
export interface OpenText {
  readonly name: HomeTextName
  readonly text: string
  /** The file when the edit began; null where there was none. */
  readonly before: string | null
  /** The file as last read. */
  readonly now: string | null
}

/** Last save of a text: what the file holds now, and what it held before. */
export interface SavedText {
  readonly name: HomeTextName
  readonly before: string | null
  readonly now: string | null
  /** Text under which a deleted prompt is kept, which gives its very bytes back. */
  readonly kept?: HomeTextName | undefined
}

/** Last rename of a saved prompt, or the return of a deleted one. */
export interface RenamedText {
  readonly from: HomeTextName
  readonly to: HomeTextName
}

/** State and actions of the home texts' store. */
export interface HomeTextsState {
  readonly texts: readonly HomeText[] | undefined
  readonly failure: ErrorReport | undefined
  readonly edit: OpenText | undefined
  /** Why a text was not read or saved. */
  readonly refusal: { readonly name: HomeTextName; readonly error: ErrorReport } | undefined
  readonly saved: SavedText | undefined
  /** The last rename of a saved prompt, in place of a save. */
  readonly renamed: RenamedText | undefined
  /** Reads the list, and again the file that is being edited. */
  load(): Promise<void>
  /** Begins the edit of a text, in place of any other edit. */
  open(name: HomeTextName): Promise<void>
  change(text: string, before: string | null): void
  /** Resolves to whether the text is on the disk; null removes the file. */
  save(text: string | null): Promise<boolean>
  /** Removes a text that is not being edited. Resolves to whether it is gone. */
  remove(name: HomeTextName): Promise<boolean>
  /** Gives a saved prompt another name. Resolves to whether it has it. */
  rename(from: HomeTextName, to: HomeTextName): Promise<boolean>
  /** Restores the file as it was before the last save, removal or rename. */
  undo(): Promise<boolean>
  leave(): void
  /** Clears everything: another home is open. */
  reset(): void
}
/** Store of the home's texts. */
export type HomeTextsStore = StoreApi<HomeTextsState>

const nothing = {
  texts: undefined,
  failure: undefined,
  edit: undefined,
  refusal: undefined,
  saved: undefined,
  renamed: undefined,
} as const

/** Makes the store of the home's texts. A save never overwrites a file that changed since the edit began. */
export function createHomeTextsStore(api: Api): HomeTextsStore {
  /** Grows with each home: answers for an earlier one are dropped. */
  let generation = 0

  return createStore<HomeTextsState>()((set, get) => {
    async function read(name: HomeTextName): Promise<string | null> {
      return (await api.settings.readText({ name })).text
    }

    /** Reads the file of the edited text again. */
    async function look(mine: number): Promise<void> {
      const name = get().edit?.name
      if (name === undefined) return
      const now = await read(name)
      const { edit } = get()
      if (mine === generation && edit?.name === name) set({ edit: { ...edit, now } })
    }

    async function write(change: SavedText): Promise<boolean> {
      const mine = generation
      const { name, before, now } = change
      set({ refusal: undefined })
      try {
        const isDeleted = now === null && promptNameOf(name) !== undefined
        const had = new Set(isDeleted ? keptOf(name, await api.settings.texts()) : [])
        const texts = await api.settings.writeText({ name, text: now, before })
        const kept = isDeleted ? keptOf(name, texts).find((one) => !had.has(one)) : undefined
        if (mine === generation) set({ texts, saved: { ...change, kept }, renamed: undefined })
        return mine === generation
      } catch (error) {
        if (mine !== generation) return false
        set({ refusal: { name, error: toErrorReport(error) } })
        // Where another program wrote the file, the editor shows its text.
        await look(mine).catch(() => undefined)
        return false
      }
    }

    async function giveName(from: HomeTextName, to: HomeTextName): Promise<boolean> {
      const mine = generation
      set({ refusal: undefined })
      try {
        const texts = await api.settings.renamePrompt({ from, to })
        if (mine === generation) set({ texts, saved: undefined, renamed: { from, to } })
        return mine === generation
      } catch (error) {
        if (mine === generation) set({ refusal: { name: from, error: toErrorReport(error) } })
        return false
      }
    }

    return {
      ...nothing,

      async load() {
        const mine = generation
        try {
          const texts = await api.settings.texts()
          if (mine === generation) set({ texts, failure: undefined })
          await look(mine)
        } catch (error) {
          if (mine === generation) set({ failure: toErrorReport(error) })
        }
      },

      async open(name) {
        const mine = generation
        set({ refusal: undefined, saved: undefined, renamed: undefined })
        try {
          const now = await read(name)
          if (mine === generation) set({ edit: { name, text: now ?? '', before: now, now } })
        } catch (error) {
          if (mine === generation) set({ refusal: { name, error: toErrorReport(error) } })
        }
      },

      change: (text, before) =>
        set(({ edit }) => (edit === undefined ? {} : { edit: { ...edit, text, before } })),

      async save(text) {
        const { edit } = get()
        if (edit === undefined) return false
        const isSaved = await write({ name: edit.name, before: edit.before, now: text })
        if (isSaved) set({ edit: undefined })
        return isSaved
      },

      async remove(name) {
        const mine = generation
        try {
          const before = await read(name)
          if (mine !== generation) return false
          return await write({ name, before, now: null })
        } catch (error) {
          if (mine === generation) set({ refusal: { name, error: toErrorReport(error) } })
          return false
        }
      },

      rename: giveName,

      async undo() {
        const { saved, renamed } = get()
        if (renamed !== undefined) {
          const isRestored = deletedPromptOf(renamed.from) !== undefined
          const isUndone = isRestored
            ? await get().remove(renamed.to)
            : await giveName(renamed.to, renamed.from)
          if (isUndone) set({ saved: undefined, renamed: undefined })
          return isUndone
        }
        if (saved === undefined) return false
        const { name, before, now, kept } = saved
        const isUndone =
          kept === undefined
            ? await write({ name, before: now, now: before })
            : await giveName(kept, name)
        if (isUndone) set({ saved: undefined, renamed: undefined })
        return isUndone
      },

      leave: () => set({ edit: undefined, refusal: undefined }),

      reset() {
        generation += 1
        set(nothing)
      },
    }
  })
}

/** Returns the texts under which deleted prompts of a name are kept. */
function keptOf(name: HomeTextName, texts: readonly HomeText[]): readonly HomeTextName[] {
  const names = texts.map((text) => text.name)
  return names.filter((kept) => deletedPromptOf(kept) === promptNameOf(name))
}
