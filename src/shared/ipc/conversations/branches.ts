import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import {
  AdoptReport,
  BranchAction,
  BranchSummaryOutcome,
  BranchSummaryWish,
  Distinction,
  EntryRef,
  FamilyAnswer,
  FamilyGroups,
} from '../../model/family/branching'
import { EntryName } from '../../model/map/entries-on-map'
import { FamilyMapAnswer } from '../../model/map/family-map'
import { RunId } from '../../model/run/run'
import { call, event } from '../wire/primitives'

/** Calls and events of families and of branches. */
export const branchesContract = {
  /**
   * The family of a conversation; null when it shares nothing with another and has no branch inside.
   * Answers from what is known: `counting` while conversations are still being read for it.
   */
  family: call(z.object({ key: LibraryKey }), FamilyAnswer),
  /** The map of that family, with facts of every message; also of a conversation without relatives. */
  map: call(z.object({ key: LibraryKey }), FamilyMapAnswer),
  /** Names of entries as the map of a conversation's family has them, in the same order: see `entriesOnMap`. */
  entriesOnMap: call(
    z.object({ key: LibraryKey, entries: z.array(EntryName).max(100_000) }),
    z.array(EntryName.nullable()),
  ),
  /** All families that are known now; the first question begins the reading. */
  groups: call(z.object({}), FamilyGroups),
  /** Tells the members of a conversation's family apart; empty where it is in none. */
  distinctions: call(z.object({ key: LibraryKey }), z.array(Distinction)),
  /**
   * Makes a context that goes on from an entry of another conversation, and never changes that one.
   *
   * - `branch`: copies up to the entry, itself included; of a tool's turn all of it. Nothing is asked.
   * - `edit`: copies up to before the person's message, appends the text in its place and asks the model.
   * - `regenerate`: copies up to before the answer (of a tool's turn, before its first call) and asks the model again;
   *   from a person's message, up to and with it.
   *
   * From another system's conversation the path is adopted, and `report` says how faithfully. Resolves when the copies
   * (and the text) are durable. Throws `not-found`, `bad-argument` (what no person wrote was to be edited), `no-model`,
   * `no-key`, `disk-full`, `unreadable`: then there is no new context, unless the message says that it was made.
   *
   * With `summary`, the model of a context first summarizes what comes after the entry there, and the summary is the
   * branch's first entry of its own. Where that fails or is stopped, the branch is made without one.
   */
  create: call(
    z.object({
      key: LibraryKey,
      at: EntryRef,
      action: BranchAction,
      summary: BranchSummaryWish.optional(),
    }),
    z.object({
      key: LibraryKey,
      runId: RunId.optional(),
      report: AdoptReport.optional(),
      summary: BranchSummaryOutcome.optional(),
    }),
  ),
  /** Stops the summaries of a conversation's branches that are being written: those branches are made without. */
  stopSummary: call(z.object({ key: LibraryKey }), z.void()),
  /** Families may differ now, or more is known of them: ask again for what is on the screen. */
  changed: event(z.object({})),
}
