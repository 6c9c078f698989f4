import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { CompactionMode } from '../../model/run/run'
import { call, event } from '../wire/primitives'

/** A compaction that a person asked for, while it goes on. */
export const CompactionState = z.object({
  key: LibraryKey,
  mode: CompactionMode,
  phase: z.enum(['choosing', 'summarizing', 'ended']),
})
export type CompactionState = z.infer<typeof CompactionState>

/** Result of a compaction that a person asked for. */
export const CompactionEnd = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('compacted'),
    /** Messages that are not in the window any more, and those that are. */
    archived: z.int(),
    kept: z.int(),
    /** Estimated: of the messages, and of them and the new summary. */
    tokensBefore: z.int(),
    tokensAfter: z.int(),
    /** Things that were done otherwise than was wanted, a sentence each. */
    notes: z.array(z.string()),
  }),
  /** There are too few messages; nothing was written. */
  z.object({ outcome: z.literal('nothing'), messages: z.int() }),
  /** The window is as it was. */
  z.object({ outcome: z.literal('failed'), words: z.string() }),
  z.object({ outcome: z.literal('stopped') }),
])
export type CompactionEnd = z.infer<typeof CompactionEnd>

/** Calls and events of compactions that a person asks for. */
export const compactionContract = {
  /**
   * Makes room in a context's window; the transcript stays. Resolves at its end. Throws `busy` (an answer is being written
   * there, or room is being made), `locked`, `no-model`, `no-key`, `not-found`, `bad-argument` (another system's).
   */
  compact: call(z.object({ key: LibraryKey, mode: CompactionMode }), CompactionEnd),
  /** Stops it: the window stays as it was. Does nothing when there is none. */
  cancel: call(z.object({ key: LibraryKey }), z.void()),
  /** Those that go on now, for a window that was reloaded. */
  running: call(z.void(), z.array(CompactionState)),
  state: event(CompactionState),
}
