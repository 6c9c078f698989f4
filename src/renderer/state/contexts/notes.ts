import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { TodosAndGoals } from '../../../shared/ipc/conversations/contexts'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'

/** Note that a model and a person both write. */
export type NoteKind = 'todos' | 'goals'

/** Edit of a note: its text, and the stored text it began from. */
export interface NoteEdit {
  readonly text: string
  readonly before: string | null
}

/** State and actions of the notes store. */
export interface NotesState {
  readonly key: LibraryKey | undefined
  /** Of `key`, as on the disk; undefined before they are read. */
  readonly notes: TodosAndGoals | undefined
  /** Why they could not be read. */
  readonly failure: ErrorReport | undefined
  /** Why an edit was not saved. */
  readonly refusals: Readonly<Partial<Record<NoteKind, ErrorReport>>>
  /** Edits by `noteKey`; they stay while another conversation is open. */
  readonly edits: Readonly<Record<string, NoteEdit>>
  /** Follows a context's notes from now on; undefined follows none. */
  follow(key: LibraryKey | undefined): Promise<void>
  /**
   * Resolves to whether the note is on the disk; then its edit ends.
   *
   * @param before the text that the edit began from: a note that differs by now is not overwritten
   */
  save(note: NoteKind, text: string, before: string | null): Promise<boolean>
  /** Sets the edit of a note of the followed context, or ends it. */
  edit(note: NoteKind, edit: NoteEdit | undefined): void
  dismiss(note: NoteKind): void
  /** Moves the edits of a renamed context. */
  renamed(from: LibraryKey, to: LibraryKey): void
  /** Drops the edits of a destroyed context: they would appear in the next one of its name. */
  destroyed(key: LibraryKey): void
  fold(notes: TodosAndGoals): void
}
/** Store of a context's todos and goals. */
export type NotesStore = StoreApi<NotesState>

/** Returns the key of a context's note in `edits`. */
export function noteKey(key: LibraryKey | undefined, note: NoteKind): string {
  return `${key ?? ''}\n${note}`
}

const noteNames: readonly NoteKind[] = ['todos', 'goals']

/**
 * Makes the store of the followed context's todos and goals. It stays current while a tool or an editor writes them.
 */
export function createNotesStore(api: Api): NotesStore {
  let request = 0
  return createStore<NotesState>()((set, get) => ({
    key: undefined,
    notes: undefined,
    failure: undefined,
    refusals: {},
    edits: {},

    async follow(key) {
      const mine = ++request
      set({ key, notes: undefined, failure: undefined, refusals: {} })
      try {
        const notes = await api.contexts.watchNotes({ key: key ?? null })
        // Notes that an event brought meanwhile are newer.
        if (mine === request && notes !== null && get().notes === undefined) set({ notes })
      } catch (error) {
        if (mine === request) set({ failure: toErrorReport(error) })
      }
    },

    async save(note, text, before) {
      const { key } = get()
      if (key === undefined) return false
      get().dismiss(note)
      try {
        await api.contexts.writeNote({ key, note, text, before })
        // The watch reports it a moment later; until then the old text is not shown.
        const { notes, edits } = get()
        if (notes?.key === key) set({ notes: { ...notes, [note]: text } })
        set({ edits: withEdit(edits, noteKey(key, note), undefined) })
        return true
      } catch (error) {
        if (get().key === key)
          set(({ refusals }) => ({ refusals: { ...refusals, [note]: toErrorReport(error) } }))
        return false
      }
    },

    edit: (note, edit) =>
      set(({ key, edits }) => ({ edits: withEdit(edits, noteKey(key, note), edit) })),

    renamed(from, to) {
      for (const note of noteNames) {
        const { edits } = get()
        const edit = edits[noteKey(from, note)]
        const others = withEdit(edits, noteKey(from, note), undefined)
        if (edit !== undefined) set({ edits: withEdit(others, noteKey(to, note), edit) })
      }
    },

    destroyed(key) {
      for (const note of noteNames)
        set(({ edits }) => ({ edits: withEdit(edits, noteKey(key, note), undefined) }))
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

function withEdit(
  edits: NotesState['edits'],
  spot: string,
  edit: NoteEdit | undefined,
): NotesState['edits'] {
  const { [spot]: _, ...others } = edits
  return edit === undefined ? others : { ...others, [spot]: edit }
}
