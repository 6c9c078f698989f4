import { AppError } from '../../../shared/model/basics/errors'
import { type LibraryKey, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { Runs } from '../../llm/run/runs'
import type {
  ClearResult,
  ContextListing,
  Contexts,
  FileVerdict,
  Store,
  Upkeep,
} from '../../store/store'
import type { Hooks } from '../../tools/hooks/hooks'
import { type BegunConversation, beginConversation, type FirstMessage } from './begin-conversation'
import type { BusyContexts } from './busy-contexts'
import { type NotesOnDisk, watchNotes } from './context-notes'

/** Contexts of a home as wholes, with their texts and side files. */
export interface HomeContexts
  extends Pick<Contexts, 'archived' | 'session' | 'readText' | 'writeText'>,
    Upkeep {
  /** Lists them by name. @throws AppError `unreadable` */
  list(signal?: AbortSignal): Promise<readonly ContextListing[]>
  find(name: string): Promise<ContextListing | undefined>
  readBeside: Store['readBeside']
  readNotes: Store['readNotes']
  /** How many there are; reads names only. @throws AppError `unreadable` */
  count(): Promise<number>
  /** Begins a conversation with its first message, in a context of a made-up name; see `beginConversation`. */
  begin(
    message: FirstMessage,
    attempted?: (key: LibraryKey) => Promise<void>,
  ): Promise<BegunConversation>
  /** Makes an empty one. @throws AppError `bad-argument`, `exists`, `disk-full` */
  create(name: string): Promise<void>
  /** @throws AppError `busy`, and as the store's */
  rename(from: string, to: string): Promise<void>
  /** Has its model start fresh; the transcript stays. Plugins hear of it. @throws AppError `busy`, and as the store's */
  clear(name: string, options?: { readonly withPage?: boolean }): Promise<ClearResult>
  /** Puts one away, or back. @throws AppError as the store's */
  setArchived(name: string, isArchived: boolean): Promise<void>
  /** @param remove takes the folder away @throws AppError `busy`, and as the store's */
  destroy(name: string, remove: (folder: string) => Promise<void>): Promise<void>
  /** Its own system prompt, null where it has none; then the home's, null where that has none. @throws AppError `not-found`, `unreadable` */
  readPrompt(name: string): Promise<{ readonly own: string | null; readonly home: string | null }>
  /** Follows the notes of one from now on, and of no other; of none where it is null. @throws AppError `not-found`, `unreadable` */
  watchNotes(name: string | null): Promise<NotesOnDisk | null>
  /** Compares archived partitions with their seals. @throws AppError `not-found`, `unreadable` */
  verify(name: string, signal?: AbortSignal): Promise<readonly FileVerdict[]>
}

/** Events of contexts. */
export interface ContextEvents {
  renamed(told: { from: LibraryKey; to: LibraryKey }): void
  destroyed(told: { key: LibraryKey }): void
  /** Where it is absent, archived contexts are not read. */
  archivedChanged?: ((archived: readonly string[]) => void) | undefined
  notesChanged(notes: NotesOnDisk): void
}

interface HomeContextsDeps {
  readonly store: Pick<
    Store,
    | 'contexts'
    | 'upkeep'
    | 'openWriter'
    | 'readNotes'
    | 'readBeside'
    | 'verify'
    | 'watch'
    | 'countContexts'
    | 'listContexts'
    | 'findContext'
  >
  readonly runs: Pick<Runs, 'start' | 'isRunning' | 'released'>
  readonly busy: Pick<BusyContexts, 'during'>
  readonly hooks: Hooks
  readonly events: ContextEvents
  /** The row of one that is there is read again, and an event sent. */
  readonly changed: (key: LibraryKey) => Promise<void>
  /** One is not there any more under its name: it has another one, or a person had it removed. It is not lost. */
  readonly left: (key: LibraryKey) => Promise<void>
}

/** Opens the contexts of a home; no notes are followed. */
export function openHomeContexts(deps: HomeContextsDeps): HomeContexts & { close(): void } {
  const { store, busy, hooks, events } = deps
  const { contexts, upkeep } = store
  let unwatch: (() => void) | undefined

  function close(): void {
    unwatch?.()
    unwatch = undefined
  }

  /** Fails while a run is active: what it reads for its next request is not changed under it. @throws AppError `busy` */
  async function mustBeIdle(name: string): Promise<void> {
    if (deps.runs.isRunning(name))
      throw new AppError('busy', `An answer is being written in "${name}". Stop it first.`)
    await deps.runs.released(name)
  }

  async function tellArchived(): Promise<void> {
    if (events.archivedChanged !== undefined) events.archivedChanged(await contexts.archived())
  }

  return {
    ...upkeep,
    begin: (message, attempted) => beginConversation(deps, message, attempted),
    list: (signal) => store.listContexts(signal),
    find: (name) => store.findContext(name),
    readBeside: (name) => store.readBeside(name),
    readNotes: (name) => store.readNotes(name),
    count: () => store.countContexts(),
    archived: () => contexts.archived(),
    session: () => contexts.session(),
    readText: (name, text) => contexts.readText(name, text),
    writeText: (name, text, content, before) => contexts.writeText(name, text, content, before),
    verify: (name, signal) => store.verify(name, signal),
    async create(name) {
      const writer = await store.openWriter(name, { create: true })
      await writer.close()
      await deps.changed(libraryKeyOf('chibi', name))
    },
    async rename(from, to) {
      await mustBeIdle(from)
      await contexts.rename(from, to)
      const [key, renamed] = [libraryKeyOf('chibi', from), libraryKeyOf('chibi', to)]
      // The new row first: a window that shows the conversation goes there at once.
      await deps.changed(renamed)
      if (to === from) return
      events.renamed({ from: key, to: renamed })
      await deps.left(key)
      await tellArchived()
    },
    async clear(name, { withPage = false } = {}) {
      await mustBeIdle(name)
      const cleared = await busy.during(name, () =>
        contexts.clear(name, {
          withPage,
          hooks: async (point, data) => void (await hooks.call(point, { ...data })),
        }),
      )
      await deps.changed(libraryKeyOf('chibi', name))
      return cleared
    },
    async setArchived(name, isArchived) {
      await contexts.setArchived(name, isArchived)
      await tellArchived()
    },
    async destroy(name, remove) {
      await mustBeIdle(name)
      await contexts.destroy(name, remove)
      const key = libraryKeyOf('chibi', name)
      events.destroyed({ key })
      await deps.left(key)
      await tellArchived()
    },
    async readPrompt(name) {
      const own = await contexts.readText(name, 'system_prompt.md')
      // Of a context with one of its own, what the home has is not known here; nor does it hold.
      const { systemPrompt } = own === null ? await store.readNotes(name) : {}
      return { own, home: systemPrompt ?? null }
    },
    async watchNotes(name) {
      close()
      if (name === null) return null
      const watch = watchNotes(store, libraryKeyOf('chibi', name), events.notesChanged)
      unwatch = watch.close
      return watch.first
    },
    async writeSummary(name, text, before) {
      await mustBeIdle(name)
      return upkeep.writeSummary(name, text, before)
    },
    async changeInbox(name, message, text) {
      await mustBeIdle(name)
      return upkeep.changeInbox(name, message, text)
    },
    async putInbox(name, message) {
      await mustBeIdle(name)
      return upkeep.putInbox(name, message)
    },
    close,
  }
}
