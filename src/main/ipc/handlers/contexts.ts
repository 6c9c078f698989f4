import type { Contract } from '../../../shared/ipc/contract'
import type { TodosAndGoals } from '../../../shared/ipc/conversations/contexts'
import type { Emitters, Handlers } from '../../../shared/ipc/wire/primitives'
import { AppError } from '../../../shared/model/basics/errors'
import {
  type LibraryKey,
  libraryKeyOf,
  parseLibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { ClearOptions } from '../../store/store'
import { watchNotes } from '../context-notes'
import { ourContext } from '../current/our-context'
import type { CurrentHome } from '../open-home'

/** What of the outside the calls need. */
export interface ContextsOutside {
  /** Moves a folder to the system's trash. */
  trash(folder: string): Promise<void>
  /** Hears a clearing's hooks in a context; without it nobody does. */
  readonly hooks?: (context: string) => ClearOptions['hooks']
}

/** A person's acts on contexts as wholes, and the notes of the one on the screen. */
export interface ContextsDomain {
  readonly handlers: Handlers<Contract['contexts']>
  /** Ends the watch of the notes: another home is opened, or the window is closed. */
  close(): void
}

export function contextsDomain(
  home: CurrentHome,
  tell: Emitters<Contract['contexts']>,
  outside: ContextsOutside,
): ContextsDomain {
  let unwatch: (() => void) | undefined

  function close(): void {
    unwatch?.()
    unwatch = undefined
  }

  /** Nothing as a whole is done to one in which an answer is being written. */
  function idle(key: LibraryKey): string {
    const name = ourContext(key)
    if (home().runs.isRunning(name))
      throw new AppError('busy', `An answer is being written in "${name}". Stop it first.`)
    return name
  }

  async function tellArchived(): Promise<void> {
    tell.archivedChanged({ archived: [...(await home().store.contexts.archived())] })
  }

  /** One is not there any more under its name: it has another one, or a person had it removed. It is not lost. */
  async function leave(key: LibraryKey): Promise<void> {
    const { library, families } = home()
    await library.refresh(key)
    await library.forget(key)
    families.look()
  }

  return {
    handlers: {
      async create({ name }) {
        const { store, library } = home()
        const writer = await store.openWriter(name, { create: true })
        await writer.close()
        await library.refresh(name)
        return { key: libraryKeyOf('chibi', name) }
      },
      async rename({ key, to }) {
        const from = idle(key)
        const { store, library } = home()
        await store.contexts.rename(from, to)
        const renamed = libraryKeyOf('chibi', to)
        // The new row first: whoever shows the conversation goes there at once.
        await library.refresh(renamed)
        if (to !== from) {
          tell.renamed({ from: key, to: renamed })
          await leave(key)
          await tellArchived()
        }
        return { key: renamed }
      },
      async clear({ key, page }) {
        const name = idle(key)
        const { store, library } = home()
        const hooks = outside.hooks?.(name)
        const cleared = await store.contexts.clear(name, {
          withPage: page,
          ...(hooks === undefined ? {} : { hooks }),
        })
        await library.refresh(key)
        return { ...cleared }
      },
      async setArchived({ key, archived }) {
        await home().store.contexts.setArchived(ourContext(key), archived)
        await tellArchived()
      },
      archived: async () => [...(await home().store.contexts.archived())],
      async destroy({ key }) {
        await home().store.contexts.destroy(idle(key), outside.trash)
        tell.destroyed({ key })
        await leave(key)
        await tellArchived()
      },
      async readPrompt({ key }) {
        const name = ourContext(key)
        const { store } = home()
        const own = await store.contexts.readText(name, 'system_prompt.md')
        // Of a context with one of its own, what the home has cannot be told from here; nor does it hold.
        const { systemPrompt } = own === null ? await store.readNotes(name) : {}
        return { own, home: systemPrompt ?? null }
      },
      writePrompt: async ({ key, text, before }) =>
        home().store.contexts.writeText(ourContext(key), 'system_prompt.md', text, before),
      async watchNotes({ key }) {
        close()
        // Other systems' conversations have none.
        if (key === null || parseLibraryKey(key).source !== 'chibi') return null
        const { store } = home()
        const watch = watchNotes(store, key, (notes: TodosAndGoals) => tell.notesChanged(notes))
        unwatch = watch.close
        return watch.first
      },
      writeNote: async ({ key, note, text, before }) =>
        home().store.contexts.writeText(ourContext(key), `${note}.md`, text, before),
    },
    close,
  }
}
