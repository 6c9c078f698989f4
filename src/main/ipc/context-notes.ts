import type { TodosAndGoals } from '../../shared/ipc/conversations/contexts'
import type { LibraryKey } from '../../shared/model/conversation/conversation'
import type { Store } from '../store/store'

/** The notes of a context, followed. */
interface NotesWatch {
  /** As they stand when the watch begins. */
  readonly first: Promise<TodosAndGoals>
  close(): void
}

/**
 * Reads todos.md and goals.md and tells them whenever they are others: whoever writes them, a tool, a person, an editor.
 * The folder is watched, and what cannot be read now is read at the next change.
 */
export function watchNotes(
  store: Pick<Store, 'contexts' | 'watch'>,
  key: LibraryKey,
  changed: (notes: TodosAndGoals) => void,
): NotesWatch {
  let isClosed = false
  let isReading = false
  let isAskedAgain = false
  let told: string | undefined

  async function read(): Promise<TodosAndGoals> {
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
