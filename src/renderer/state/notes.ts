import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ContextNotes } from '../../shared/ipc/contexts'
import type { Api } from '../../shared/ipc/contract'
import type { LibraryKey } from '../../shared/model/conversation'
import type { ErrorReport } from '../../shared/model/errors'
import { failureOf } from './failure'

/** The two texts that a model and a person keep together. */
export type NoteName = 'todos' | 'goals'

export interface NotesState {
  readonly key: LibraryKey | undefined
  /** Of `key`, as they stand on the disk; undefined before they are read. */
  readonly notes: ContextNotes | undefined
  /** Why they could not be read. */
  readonly failure: ErrorReport | undefined
  /** Why an edit was not saved. */
  readonly refusals: Readonly<Partial<Record<NoteName, ErrorReport>>>
  /** Follows a context's notes from now on; undefined follows none. */
  follow(key: LibraryKey | undefined): Promise<void>
  /**
   * Resolves to whether it is on the disk.
   *
   * @param before what the edit began from: where something else stands by now, that is not written over
   */
  save(note: NoteName, text: string, before: string | null): Promise<boolean>
  dismiss(note: NoteName): void
  fold(notes: ContextNotes): void
}
export type NotesStore = StoreApi<NotesState>

/** Todos and goals of the open conversation, live: a tool, an editor or this window may write them. */
export function createNotesStore(api: Api): NotesStore {
  let request = 0
  return createStore<NotesState>()((set, get) => ({
    key: undefined,
    notes: undefined,
    failure: undefined,
    refusals: {},

    async follow(key) {
      const mine = ++request
      set({ key, notes: undefined, failure: undefined, refusals: {} })
      try {
        const notes = await api.contexts.watchNotes({ key: key ?? null })
        // What was told meanwhile is newer.
        if (mine === request && notes !== null && get().notes === undefined) set({ notes })
      } catch (error) {
        if (mine === request) set({ failure: failureOf(error) })
      }
    },

    async save(note, text, before) {
      const { key } = get()
      if (key === undefined) return false
      get().dismiss(note)
      try {
        await api.contexts.writeNote({ key, note, text, before })
        // The watch tells it as well, a moment later; until then nothing old is shown.
        const { notes } = get()
        if (notes?.key === key) set({ notes: { ...notes, [note]: text } })
        return true
      } catch (error) {
        if (get().key === key)
          set(({ refusals }) => ({ refusals: { ...refusals, [note]: failureOf(error) } }))
        return false
      }
    },

    dismiss(note) {
      const { [note]: _, ...refusals } = get().refusals
      set({ refusals })
    },

    fold(notes) {
      if (notes.key === get().key) set({ notes, failure: undefined })
    },
  }))
}
