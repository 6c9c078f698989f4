import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { ExportFormat, LossReport, SavedAll, SavedSoFar } from '../../model/export'
import { call, event } from '../wire/primitives'

/** Calls and events of exports: of one conversation and of several. */
export const exportsContract = {
  /**
   * Says what of the conversation has no place in a format, before anything is written; reads it whole. A further call,
   * or `save`, ends the one before with `cancelled`. Throws `not-found`, `unreadable`, `cancelled`.
   */
  losses: call(z.object({ key: LibraryKey, format: ExportFormat }), LossReport),
  /**
   * Asks for a place by the system's dialog and writes the whole conversation there; null when it was cancelled.
   * A file that was there before remains until the new one is whole. Parts that cannot be read are in no format but as
   * these sentences, and the original is not written. Throws `not-found`, `unreadable`, `disk-full`, `io`.
   */
  save: call(
    z.object({ key: LibraryKey, format: ExportFormat }),
    z
      .object({
        /** As people write it: `~/Documents/garden.md`. */
        file: z.string(),
        bytes: z.int(),
        entries: z.int(),
        damaged: z.int(),
        /** Parts of the conversation that could not be read, and are not in the file: a sentence each. */
        unread: z.array(z.string()),
      })
      .nullable(),
  ),
  /**
   * Asks for a folder by the system's dialog and writes each conversation into a file of its own there, one after the other;
   * null when it was cancelled. Nothing is overwritten: a name that is taken gets a number. What cannot be read is reported,
   * and the others are written. Ends early by `stopAll`, with whole files alone. Throws `busy`, `bad-argument`, `disk-full`.
   */
  saveAll: call(
    z.object({ keys: z.array(LibraryKey).min(1).max(1_000_000), format: ExportFormat }),
    SavedAll.nullable(),
  ),
  /** Ends `saveAll` after the conversation that is being read. Does nothing when none is going on. */
  stopAll: call(z.void(), z.void()),
  /** Conversations that `saveAll` is done with; at most ten a second. */
  progress: event(SavedSoFar),
}
