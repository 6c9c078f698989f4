import { AppError } from '../../../src/shared/model/basics/errors'
import {
  type ConversationSummary,
  LibraryKey,
} from '../../../src/shared/model/conversation/conversation'
import type { AllHandlers, MemoryApi } from '../../support/memory-api'
import type { MemoryContext } from './memory-home'

interface Notes {
  readonly todos: string | null
  readonly goals: string | null
}

/** What a test does to a home's contexts from outside of the window. */
export interface MemoryContexts {
  readonly handlers: AllHandlers['contexts']
  /** Somebody else writes the notes: a tool, an editor. */
  writeNotes(key: string, notes: Partial<Notes>): void
  /** What stands there now. */
  notesOf(key: string): Notes
}

/** Contexts of a home in memory, as wholes. */
export function createMemoryContexts(deps: {
  readonly contexts: Map<string, MemoryContext>
  readonly tell: () => MemoryApi['tell']
  readonly isRunning: (key: string) => boolean
  /** Throws what the next act is refused with. */
  readonly mayRefuse: () => void
}): MemoryContexts {
  const { contexts, tell, isRunning, mayRefuse } = deps
  const archived = new Set<string>()
  const notes = new Map<string, Notes>()
  const prompts = new Map<string, string>()
  let watched: string | null = null

  const notesOf = (key: string) => notes.get(key) ?? { todos: null, goals: null }

  function contextOf(key: string): MemoryContext {
    const context = contexts.get(key)
    if (context === undefined) throw new AppError('not-found', `There is no context "${key}".`)
    if (isRunning(key))
      throw new AppError('busy', `An answer is being written in "${key}". Stop it first.`)
    mayRefuse()
    return context
  }

  function writeNotes(key: string, change: Partial<Notes>): void {
    const now = { ...notesOf(key), ...change }
    notes.set(key, now)
    if (watched === key) tell().contexts.notesChanged({ key: LibraryKey.parse(key), ...now })
  }

  function change(conversations: ConversationSummary[], gone: string[] = []): void {
    tell().library.changed({ conversations, gone })
    tell().contexts.archivedChanged({ archived: [...archived] })
  }

  return {
    writeNotes,
    notesOf,
    handlers: {
      create: async ({ name }) => ({ key: LibraryKey.parse(name) }),
      async rename({ key, to }) {
        const context = contextOf(key)
        if (contexts.has(to)) throw new AppError('exists', `The name "${to}" is already taken.`)
        const renamed = LibraryKey.parse(to)
        const summary = { ...context.summary, key: renamed, title: to }
        contexts.delete(key)
        contexts.set(renamed, { ...context, summary })
        if (archived.delete(key)) archived.add(to)
        tell().contexts.renamed({ from: key, to: renamed })
        change([summary], [key])
        return { key: renamed }
      },
      async clear({ key }) {
        contextOf(key)
        return { cleared: true, messages: 2 }
      },
      async setArchived({ key, archived: isArchived }) {
        mayRefuse()
        if (isArchived) archived.add(key)
        else archived.delete(key)
        change([])
      },
      archived: async () => [...archived],
      async destroy({ key }) {
        contextOf(key)
        contexts.delete(key)
        archived.delete(key)
        tell().contexts.destroyed({ key })
        change([], [key])
      },
      readPrompt: async ({ key }) => ({
        own: prompts.get(key) ?? null,
        home: prompts.has(key) ? null : 'You are a careful gardener.',
      }),
      async writePrompt({ key, text }) {
        mayRefuse()
        if (text === null) prompts.delete(key)
        else prompts.set(key, text)
      },
      async watchNotes({ key }) {
        watched = key
        return key === null ? null : { key, ...notesOf(key) }
      },
      async writeNote({ key, note, text, before }) {
        mayRefuse()
        if (notesOf(key)[note] !== before)
          throw new AppError('busy', `${note}.md changed in the meantime.`)
        writeNotes(key, { [note]: text })
      },
    },
  }
}
