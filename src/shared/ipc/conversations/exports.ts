import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { ExportFormat, ExportInto, LossReport, SavedAll, SavedSoFar } from '../../model/export'
import { ExportChoices, ExportPreview } from '../../model/export-choices'
import { RedactionReport } from '../../model/redaction'
import { OwnPattern } from '../../model/settings/own-pattern'
import { call, event } from '../wire/primitives'

const wanted = z.object({
  key: LibraryKey,
  format: ExportFormat,
  /** Everything, as the format has it, where they are absent. */
  choices: ExportChoices.optional(),
})

/** Calls and events of exports: of one conversation and of several. */
export const exportsContract = {
  /**
   * Says what of the conversation has no place in a format, before anything is written; reads it whole. A further call,
   * or `save`, ends the one before with `cancelled`. Throws `not-found`, `unreadable`, `cancelled`.
   */
  losses: call(wanted, LossReport),
  /**
   * Makes the beginning of the export, exactly as `save` writes it (but for the ids of a new session), and finds all that is redacted
   * in it; `most` in UTF-16 units. Ended by a further call as `losses` is. Throws as that does, and `bad-argument` for an own pattern
   * that cannot be used.
   */
  preview: call(wanted.extend({ most: z.int().min(1).max(4_000_000) }), ExportPreview),
  /**
   * Counts the places in all of a conversation that an own pattern of redaction would replace; a further call ends the one before with
   * `cancelled`. Throws `bad-argument` in words for one that is no regular expression or computes without end, `not-found`, `unreadable`.
   */
  tryPattern: call(
    z.object({ key: LibraryKey, pattern: OwnPattern }),
    z.object({ places: z.int().nonnegative() }),
  ),
  /**
   * Asks for a place by the system's dialog and writes the whole conversation there; null when it was cancelled.
   * A file that was there before remains until the new one is whole. Parts that cannot be read are in no format but as
   * these sentences, and the original is not written. Ended by `stop`: then nothing is written, and it is null. Throws `busy`, `not-found`,
   * `unreadable`, `disk-full`, `io`, and `bad-argument` for a PDF that would be too large.
   */
  save: call(
    wanted,
    z
      .object({
        /** As people write it: `~/Documents/garden.md`. */
        file: z.string(),
        bytes: z.int(),
        entries: z.int(),
        damaged: z.int(),
        /** Parts of the conversation that could not be read, and are not in the file: a sentence each. */
        unread: z.array(z.string()),
        /** Absent where nothing was to be redacted. */
        redacted: RedactionReport.optional(),
      })
      .nullable(),
  ),
  /**
   * Asks for a folder, or for the name of a zip, by the system's dialog and writes each conversation into a file of its own there, one
   * after the other; null when it was cancelled. In a folder nothing is overwritten: a name that is taken gets a number. What cannot be
   * read is reported, and the others are written. Ends early by `stop`: with whole files alone in a folder, without a zip. Throws
   * `busy`, `bad-argument`, `disk-full`, `io`.
   */
  saveAll: call(
    z.object({
      keys: z.array(LibraryKey).min(1).max(1_000_000),
      format: ExportFormat,
      into: ExportInto,
      choices: ExportChoices.optional(),
    }),
    SavedAll.nullable(),
  ),
  /** Ends `save` or `saveAll`. Does nothing when none is going on. */
  stop: call(z.void(), z.void()),
  /** Conversations that `saveAll` is done with; at most ten a second. Of `save` none of one, when its place was chosen. */
  progress: event(SavedSoFar),
}
