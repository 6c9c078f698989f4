import type { LibraryKey } from '../../../shared/model/conversation/conversation'
import type { Store } from '../../store/store'

/** Todos and goals of a context as they are on the disk; null where it has none. */
export interface NotesOnDisk {
  readonly key: LibraryKey
  readonly todos: string | null
  readonly goals: string | null
}

/** A watch over the notes of a context. */
export interface NotesWatch {
  /** Resolves to the notes as they are when the watch begins. */
  readonly first: Promise<NotesOnDisk>
  close(): void
}

/**
 * Reads todos.md and goals.md, and sends an event whenever they change: by a tool, a person, an editor.
 * The folder is watched, and what cannot be read now is read at the next change.
 */
export function watchNotes(
  store: Pick<Store, 'contexts' | 'watch'>,
  key: LibraryKey,
  changed: (notes: NotesOnDisk) => void,
): NotesWatch {
  let isClosed = false
  let isReading = false
  let isAskedAgain = false
  let told: string | undefined

  async function read(): Promise<NotesOnDisk> {
    const [todos, goals] = await Promise.all([
      store.contexts.readText(key, 'todos.md'),
      store.contexts.readText(key, 'goals.md'),
    ])
    return { key, todos, goals }
  }

  async function look(): Promise<void> {
    isAskedAgain = isReading
    if (isReading) return
    isReading = true
    try {
      const notes = await read()
      const now = JSON.stringify(notes)
      if (!isClosed && now !== told) changed(notes)
      told = now
    } catch {
      // Gone, or not to be read at this moment: the next change looks again.
    } finally {
      isReading = false
      if (isAskedAgain && !isClosed) void look()
    }
  }

  const unwatch = store.watch(key, () => void look())
  const first = read().then((notes) => {
    told ??= JSON.stringify(notes)
    return notes
  })
  return {
    first,
    close() {
      isClosed = true
      unwatch()
    },
  }
}
