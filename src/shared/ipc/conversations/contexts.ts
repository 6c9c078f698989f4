import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { call, event } from '../wire/primitives'

const Text = z.string().max(1_100_000)
/** The text that a person's edit began from, so that nobody else's words are written over; null where there was nothing. */
const Before = Text.nullable()

/** A context's todos and goals on the disk; null where it has none. */
export const TodosAndGoals = z.object({
  key: LibraryKey,
  todos: z.string().nullable(),
  goals: z.string().nullable(),
})
export type TodosAndGoals = z.infer<typeof TodosAndGoals>

/**
 * Calls and events of a context as a whole. Calls with a key throw `not-found` where there is no context of that
 * name.
 */
export const contextsContract = {
  /** Makes an empty one. Throws `bad-argument` (the name), `exists`, `disk-full`. */
  create: call(z.object({ name: z.string().max(200) }), z.object({ key: LibraryKey })),
  /** Throws `bad-argument` (the name), `exists`, `busy` (a run is going on there), `locked`, `disk-full`. */
  rename: call(
    z.object({ key: LibraryKey, to: z.string().max(200) }),
    z.object({ key: LibraryKey }),
  ),
  /**
   * Begins a new window; the transcript stays. With `page` its messages also go to `transcript.md`, as they do in any
   * case where there is one. `cleared` is false where the window was empty. Throws `busy`, `locked`, `disk-full`.
   */
  clear: call(
    z.object({ key: LibraryKey, page: z.boolean() }),
    z.object({ cleared: z.boolean(), messages: z.int() }),
  ),
  /** Puts one away, or back; no file of it is touched. */
  setArchived: call(z.object({ key: LibraryKey, archived: z.boolean() }), z.void()),
  /** Keys of all that are archived. */
  archived: call(z.void(), z.array(z.string())),
  /** Moves one to the system's trash. Throws `busy`, `locked`, `io`: then it is there as before. */
  destroy: call(z.object({ key: LibraryKey }), z.void()),
  /** Its own system prompt, null where it has none; and what holds then, the home's. */
  readPrompt: call(
    z.object({ key: LibraryKey }),
    z.object({ own: z.string().nullable(), home: z.string().nullable() }),
  ),
  /** Null removes it, so that the home's holds. Throws `busy`: another one is there than `before`. */
  writePrompt: call(z.object({ key: LibraryKey, text: Text.nullable(), before: Before }), z.void()),
  /** The notes now, and from now on as `notesChanged`: of this conversation alone; null ends that. */
  watchNotes: call(z.object({ key: LibraryKey.nullable() }), TodosAndGoals.nullable()),
  /** Throws `busy`: another text is there than `before`. */
  writeNote: call(
    z.object({ key: LibraryKey, note: z.enum(['todos', 'goals']), text: Text, before: Before }),
    z.void(),
  ),
  /** A context has another name; a view that shows it goes on under the new one. */
  renamed: event(z.object({ from: LibraryKey, to: LibraryKey })),
  /** One is in the trash. */
  destroyed: event(z.object({ key: LibraryKey })),
  archivedChanged: event(z.object({ archived: z.array(z.string()) })),
  notesChanged: event(TodosAndGoals),
}
