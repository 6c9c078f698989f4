import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { HomeText, HomeTextName } from '../../../shared/model/settings/home-texts'
import { toErrorReport } from '../base/failure'

/** A text of the home that is being written. */
export interface OpenText {
  readonly name: HomeTextName
  readonly text: string
  /** What it began from; null where there was no file. */
  readonly before: string | null
  /** What is on the disk, as of the last look. */
  readonly now: string | null
}

/** The last save: what is there since, and what was there before. */
export interface SavedText {
  readonly name: HomeTextName
  readonly before: string | null
  readonly now: string | null
}

export interface HomeTextsState {
  readonly texts: readonly HomeText[] | undefined
  readonly failure: ErrorReport | undefined
  readonly edit: OpenText | undefined
  /** Why the text that is being written was not read or saved, and of which. */
  readonly refusal: { readonly name: HomeTextName; readonly error: ErrorReport } | undefined
  readonly saved: SavedText | undefined
  /** Reads the list, and what is on the disk of the text that is being written. */
  load(): Promise<void>
  /** Reads a text to be written; another one that was being written must have been left. */
  open(name: HomeTextName): Promise<void>
  change(text: string, before: string | null): void
  /** Resolves to whether the text is on the disk; null removes the file. */
  save(text: string | null): Promise<boolean>
  /** Puts back what was there before the last save. */
  undo(): Promise<boolean>
  leave(): void
  /** Another home is open. */
  reset(): void
}
export type HomeTextsStore = StoreApi<HomeTextsState>

const nothing = {
  texts: undefined,
  failure: undefined,
  edit: undefined,
  refusal: undefined,
  saved: undefined,
} as const

/** Holds the texts of the home: read when they are looked at, and saved over nothing that changed meanwhile. */
export function createHomeTextsStore(api: Api): HomeTextsStore {
  /** Makes answers void that are of another home. */
  let generation = 0

  return createStore<HomeTextsState>()((set, get) => {
    async function read(name: HomeTextName): Promise<string | null> {
      return (await api.settings.readText({ name })).text
    }

    /** Looks again at what is on the disk under the text that is being written. */
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
        const texts = await api.settings.writeText({ name, text: now, before })
        if (mine === generation) set({ texts, saved: change })
        return mine === generation
      } catch (error) {
        if (mine !== generation) return false
        set({ refusal: { name, error: toErrorReport(error) } })
        // Where somebody else wrote it, the editor shows that.
        await look(mine).catch(() => undefined)
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
        set({ refusal: undefined, saved: undefined })
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

      async undo() {
        const { saved } = get()
        if (saved === undefined) return false
        const { name, before, now } = saved
        const isUndone = await write({ name, before: now, now: before })
        if (isUndone) set({ saved: undefined })
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
