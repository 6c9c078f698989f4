import { z } from 'zod'
import { ConversationDetails, ConversationKey, LockState } from '../model/conversation'
import { Cursor, PageFrom, TranscriptPage, TranscriptRow } from '../model/transcript'
import { call, event } from './primitives'

export const transcript = {
  /** Rows from a cursor or an end. Throws `not-found`, `unreadable`. */
  page: call(
    z.object({ key: ConversationKey, from: PageFrom, limit: z.int().min(1).max(500) }),
    TranscriptPage,
  ),
  /** The untouched bytes of a line, as text with U+FFFD for bad bytes; at most 1 MB, then `cut`. Also counts the line's number. */
  raw: call(
    z.object({
      key: ConversationKey,
      file: z.string(),
      offset: z.int().nonnegative(),
      length: z.int().nonnegative(),
    }),
    z.object({ text: z.string(), line: z.int(), cut: z.boolean() }),
  ),
  /** Counts the whole conversation; slow for a huge one (about 200 MB a second). */
  details: call(z.object({ key: ConversationKey }), ConversationDetails),
  /** Names the conversation that is on the screen, or none: its files are watched. */
  watch: call(z.object({ key: ConversationKey.nullable() }), z.void()),
  /** Rows were appended, by a run of ours or by somebody else; durable. */
  appended: event(z.object({ key: ConversationKey, rows: z.array(TranscriptRow), after: Cursor })),
  /** The files were replaced, rotated by somebody else or cut: ask for the page again. */
  changed: event(z.object({ key: ConversationKey })),
  lock: event(z.object({ key: ConversationKey, lock: LockState })),
}
