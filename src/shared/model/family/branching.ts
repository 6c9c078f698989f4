import { z } from 'zod'
import { LibraryKey } from '../conversation/conversation'
import { EntryId } from '../conversation/entry'
import { Label } from '../conversation/label'
import { Family } from './family'

/** An entry of a conversation by its id and place: ids alone are no key, real files repeat them. */
export const EntryRef = z.object({
  entry: EntryId,
  file: z.string(),
  offset: z.int().nonnegative(),
})
export type EntryRef = z.infer<typeof EntryRef>

/** One way that goes on from a fork. */
export const ForkWay = z.object({
  /** The conversation to open for it. */
  key: LibraryKey,
  /** The first entry that differs, as that conversation names it; its last copy where it has no messages of its own yet. */
  entry: EntryId,
  /** The node of the family that begins there. */
  node: z.string(),
  title: z.string(),
})
export type ForkWay = z.infer<typeof ForkWay>

/** A label of an entry in a family. */
export const FamilyLabel = Label.extend({
  /** The node that holds the entry. */
  node: z.string(),
  /** A conversation that has the entry, and its id there. */
  key: LibraryKey,
  entry: EntryId,
  /** The same entry in the conversation that the view is of; absent where that has none. */
  here: EntryId.optional(),
})
export type FamilyLabel = z.infer<typeof FamilyLabel>
/** A subagent that a conversation called. */
export const CalledSubagent = z.object({
  /** The entry that called it, as far as that is known. */
  caller: EntryId,
  /** The conversation to open for it, and its first entry there. */
  key: LibraryKey,
  entry: EntryId,
  title: z.string(),
})
export type CalledSubagent = z.infer<typeof CalledSubagent>

/** A family around one conversation of it: entries in `path` and `forks` have the ids that this conversation gives them. */
export const FamilyView = z.object({
  family: Family,
  /** The nodes that the conversation's own way goes through, root first; nodes whose entries its file does not hold are left out. */
  path: z.array(z.object({ node: z.string(), firstEntry: EntryId, lastEntry: EntryId })),
  /** The forks on its path, in the order of the path: the marker "2 / 3" shows them. */
  forks: z.array(
    z.object({
      /**
       * The first entry of this conversation that differs, where the marker is. In a branch that has no messages of its own
       * yet, its last copy.
       */
      entry: EntryId,
      /** All that goes on from the same place, by birth, this one among them. */
      ways: z.array(ForkWay),
      /** Which of them this is; counts from 0. */
      index: z.int().nonnegative(),
    }),
  ),
  /** Labels of all its entries, parents first; absent where there are none. */
  labels: z.array(FamilyLabel).optional(),
  /** The subagents that this conversation called; absent where there are none. */
  subagents: z.array(CalledSubagent).optional(),
})
export type FamilyView = z.infer<typeof FamilyView>

/** Answer to the question for a conversation's family, as far as it is known now. */
export const FamilyAnswer = z.object({
  /** Null when the conversation shares nothing with another and has no branch inside. */
  view: FamilyView.nullable(),
  /** Conversations are still being read: a later answer may say more. */
  counting: z.boolean(),
})
export type FamilyAnswer = z.infer<typeof FamilyAnswer>

/** Families as far as they are known: conversations that share a beginning, two or more each. */
export const FamilyGroups = z.object({
  families: z.array(z.array(LibraryKey)),
  /** Conversations are still being read: a later answer may say more. */
  counting: z.boolean(),
})
export type FamilyGroups = z.infer<typeof FamilyGroups>

/** Distinction of a conversation from its relatives. */
export const Distinction = z.object({
  key: LibraryKey,
  /** First words of its own after the fork, a person's where there are any; empty where it has no messages of its own. */
  words: z.string(),
  /** Entries that no relative has. */
  entries: z.int(),
  /** When its own messages begin, else itself; ISO 8601 in UTC. */
  created: z.string().nullable(),
})
export type Distinction = z.infer<typeof Distinction>

/** Action that begins a new context at an entry: copy only, edit the person's message, or ask again. */
export const BranchAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('branch') }),
  z.object({ type: z.literal('edit'), text: z.string().min(1).max(4_000_000) }),
  z.object({ type: z.literal('regenerate') }),
])
export type BranchAction = z.infer<typeof BranchAction>

/** Wish for a summary of the branch that is left, which the new one begins with. */
export const BranchSummaryWish = z.object({
  /** The question that the person wants to have answered; all that matters where absent. */
  words: z.string().min(1).max(4_000).optional(),
})
export type BranchSummaryWish = z.infer<typeof BranchSummaryWish>

/** Outcome of the summary that was wished for; the branch is there in any case. */
export const BranchSummaryOutcome = z.discriminatedUnion('type', [
  z.object({ type: z.literal('written') }),
  /** Nothing that a model could read comes after the place of the branch. */
  z.object({ type: z.literal('nothing') }),
  /** The reason, in a sentence. */
  z.object({ type: z.literal('failed'), words: z.string() }),
  z.object({ type: z.literal('stopped') }),
])
export type BranchSummaryOutcome = z.infer<typeof BranchSummaryOutcome>

/**
 * Report of an adoption. Counts are of entries: `kept`, `flattened` and `dropped` together are all of them. Each
 * part that could not be read counts as one that was dropped, since nobody knows how many it had.
 */
export const AdoptReport = z.object({
  entries: z.int(),
  /** Sent to the model word for word, in fields of ours. */
  kept: z.int(),
  /** Sent in other words: what has no field of ours was put into the text, or is not sent with it. */
  flattened: z.int().default(0),
  /** Not sent to the model; they are in the new context all the same, but for what could not be read. */
  dropped: z.int().default(0),
  /** Parts of the source's files that could not be read: of those dropped. */
  unread: z.int().optional(),
  /** One sentence each: what was mapped, flattened or dropped, and how many. */
  notes: z.array(z.string()),
})
export type AdoptReport = z.infer<typeof AdoptReport>
