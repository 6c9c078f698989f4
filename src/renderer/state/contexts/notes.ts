import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Api } from '../../../shared/ipc/contract'
import type { TodosAndGoals } from '../../../shared/ipc/conversations/contexts'
import type { ErrorReport } from '../../../shared/model/basics/errors'
import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import { toErrorReport } from '../base/failure'

/** The two texts that a model and a person keep together. */
export type NoteKind = 'todos' | 'goals'

/** A note that is being written, and what it began from. */
export interface NoteEdit {
  readonly text: string
  readonly before: string | null
}

export interface NotesState {
  readonly key: LibraryKey | undefined
  /** Of `key`, as they stand on the disk; undefined before they are read. */
  readonly notes: TodosAndGoals | undefined
  /** Why they could not be read. */
  readonly failure: ErrorReport | undefined
  /** Why an edit was not saved. */
  readonly refusals: Readonly<Partial<Record<NoteKind, ErrorReport>>>
  /** What is being written by context and note: going to another conversation and back finds it again. */
  readonly edits: Readonly<Record<string, NoteEdit>>
  /** Follows a context's notes from now on; undefined follows none. */
  follow(key: LibraryKey | undefined): Promise<void>
  /**
   * Resolves to whether it is on the disk; then it is not being written any more.
   *
   * @param before what the edit began from: where something else stands by now, that is not written over
   */
  save(note: NoteKind, text: string, before: string | null): Promise<boolean>
  /** Keeps what is being written of the followed context, or ends it. */
  edit(note: NoteKind, edit: NoteEdit | undefined): void
  dismiss(note: NoteKind): void
  /** A context has another name. */
  renamed(from: LibraryKey, to: LibraryKey): void
  /** A context is not there any more: what was being written would stand in the next one of its name. */
  destroyed(key: LibraryKey): void
  fold(notes: TodosAndGoals): void
}
export type NotesStore = StoreApi<NotesState>

/** Names a note of a context. */
export function noteKey(key: LibraryKey | undefined, note: NoteKind): string {
  return `${key ?? ''}\n${note}`
}

const noteNames: readonly NoteKind[] = ['todos', 'goals']

/** Todos and goals of the open conversation, live: a tool, an editor or this window may write them. */
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
        // What was told meanwhile is newer.
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
        // The watch tells it as well, a moment later; until then nothing old is shown.
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
