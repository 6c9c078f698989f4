import { z } from 'zod'
import { ConversationDetails, LibraryKey, LockState } from '../../model/conversation/conversation'
import { EntryId } from '../../model/conversation/entry'
import { ModelMessage } from '../../model/conversation/model-view'
import {
  Cursor,
  PageFrom,
  TranscriptPage,
  TranscriptRow,
  WayName,
  WindowStart,
} from '../../model/conversation/transcript'
import { call, event } from '../wire/primitives'

/** Calls and events of an open conversation: its rows, raw lines, details and lock. */
export const transcriptContract = {
  /**
   * Rows from a cursor, around a line, near a number of bytes or from an end: of the way to where the conversation is now, or of `way`. A cursor goes on
   * along its own way. Throws `not-found`, `unreadable`.
   */
  page: call(
    z.object({
      key: LibraryKey,
      from: PageFrom,
      limit: z.int().min(1).max(500),
      way: WayName.optional(),
    }),
    TranscriptPage,
  ),
  /** The untouched bytes of a line, as text with U+FFFD for bad bytes; at most 1 MB, then `cut`. Also counts the line's number. */
  raw: call(
    z.object({
      key: LibraryKey,
      file: z.string(),
      offset: z.int().nonnegative(),
      length: z.int().nonnegative(),
      /** The entry that is meant: after a rotation another line may stand at the place. */
      entry: EntryId.optional(),
    }),
    z.object({ text: z.string(), line: z.int(), cut: z.boolean() }),
  ),
  /**
   * A part of an output that another system saved beside the conversation, from byte `from` on, at most 256 KB; `to` is where the next
   * one begins. Throws `not-found` also where it is no longer there, `unreadable`.
   */
  output: call(
    z.object({
      key: LibraryKey,
      /** The conversation's file that names it. */
      file: z.string(),
      /** Its name, as the entry has it. */
      output: z.string(),
      from: z.int().nonnegative(),
    }),
    z.object({
      text: z.string(),
      to: z.int().nonnegative(),
      /** Of all of it. */
      bytes: z.int().nonnegative(),
    }),
  ),
  /** The position of an entry; null when the conversation has none of that id. Reads the conversation up to it. Throws `not-found`, `unreadable`. */
  locate: call(
    z.object({ key: LibraryKey, entry: EntryId }),
    z.object({ file: z.string(), offset: z.int().nonnegative() }).nullable(),
  ),
  /** Counts the whole conversation; slow for a huge one (about 200 MB a second). */
  details: call(z.object({ key: LibraryKey }), ConversationDetails),
  /**
   * The messages that the conversation's own system would send its model now; null where these are simply its
   * messages. Reads all of it. Throws `not-found`, `unreadable`.
   */
  modelView: call(z.object({ key: LibraryKey }), z.array(ModelMessage).nullable()),
  /**
   * Where the window begins that our loop sends; null where there is no anchor, and for other systems' conversations. Reads
   * back to the last anchor. Throws `not-found`, `unreadable`.
   */
  windowStart: call(z.object({ key: LibraryKey }), WindowStart.nullable()),
  /** Names the conversation that is on the screen, and the way through it, or none: its files are watched. */
  watch: call(z.object({ key: LibraryKey.nullable(), way: WayName.optional() }), z.void()),
  /** Rows were appended to the way that is watched, by a run of ours or by somebody else; durable. */
  appended: event(
    z.object({
      key: LibraryKey,
      rows: z.array(TranscriptRow),
      after: Cursor,
      way: WayName.optional(),
    }),
  ),
  /** The files were replaced, rotated by somebody else or cut: ask for the page again. */
  changed: event(z.object({ key: LibraryKey })),
  lock: event(z.object({ key: LibraryKey, lock: LockState })),
}
