import { z } from 'zod'
import { LibraryKey } from '../model/conversation'
import { EntryId } from '../model/entry'
import { Family } from '../model/family'
import { RunId } from '../model/run'
import { call } from './primitives'

/** An entry of a conversation by its id and place: ids alone are no key, real files repeat them. */
export const EntryAt = z.object({
  entry: EntryId,
  file: z.string(),
  offset: z.int().nonnegative(),
})
export type EntryAt = z.infer<typeof EntryAt>

/** One way that goes on from a fork. */
export const Way = z.object({
  /** The conversation to open for it. */
  key: LibraryKey,
  /** The first entry that differs, as that conversation names it. */
  entry: EntryId,
  /** The node of the family that begins there. */
  node: z.string(),
  title: z.string(),
})
export type Way = z.infer<typeof Way>

/** A family around one conversation of it: entries in `path` and `forks` have the ids that this conversation gives them. */
export const FamilyView = z.object({
  family: Family,
  /** The nodes that the conversation's own way goes through, root first; nodes whose entries its file does not hold are left out. */
  path: z.array(z.object({ node: z.string(), firstEntry: EntryId, lastEntry: EntryId })),
  /** Where its way could have gone on differently, in the order of the way: what the marker "2 / 3" tells. */
  forks: z.array(
    z.object({
      /** The first entry of this conversation that differs; the marker stands there. */
      entry: EntryId,
      /** All that goes on from the same place, by birth, this one among them. */
      ways: z.array(Way),
      /** Which of them this is; counts from 0. */
      index: z.int().nonnegative(),
    }),
  ),
})
export type FamilyView = z.infer<typeof FamilyView>

/** What became of a foreign path that was copied into our store; counts are of entries. */
export const AdoptReport = z.object({
  entries: z.int(),
  /** Kept word for word. */
  kept: z.int(),
  /** One sentence each: what was mapped, flattened or left out, and how many. */
  notes: z.array(z.string()),
})
export type AdoptReport = z.infer<typeof AdoptReport>

export const branches = {
  /**
   * The family of a conversation; null when it shares nothing with another and has no branch inside.
   * Answers from what is known: `counting` while conversations are still being read for it.
   */
  family: call(
    z.object({ key: LibraryKey }),
    z.object({ view: FamilyView.nullable(), counting: z.boolean() }),
  ),
  /**
   * Makes a context that goes on from an entry of another conversation, and never changes that one.
   *
   * - `branch`: copies up to the entry, itself included; nothing is asked.
   * - `edit`: copies up to before the person's message, appends the text in its place and asks the model.
   * - `regenerate`: copies up to before the answer and asks the model again.
   *
   * From another system's conversation the path is adopted, and `report` tells how faithfully. Resolves when the copies
   * (and the text) are durable. Throws `not-found`, `no-model`, `no-key`, `disk-full`, `unreadable`; nothing half-made stays.
   */
  create: call(
    z.object({
      key: LibraryKey,
      at: EntryAt,
      action: z.discriminatedUnion('type', [
        z.object({ type: z.literal('branch') }),
        z.object({ type: z.literal('edit'), text: z.string().min(1).max(4_000_000) }),
        z.object({ type: z.literal('regenerate') }),
      ]),
    }),
    z.object({
      key: LibraryKey,
      runId: RunId.optional(),
      report: AdoptReport.optional(),
    }),
  ),
}
