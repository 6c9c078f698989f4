import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { WayName } from '../../model/conversation/transcript'
import { FindAnswer, FindLine, FoundPlace, FoundTexts, WantedText } from '../../model/find/find'
import { call } from '../wire/primitives'

const asked = { key: LibraryKey, way: WayName.optional(), wanted: WantedText }

/** Calls of finding words in the open conversation. */
export const findingContract = {
  /**
   * Counts the matches in each row of a way through a conversation, as it is on the disk now. Another call ends it with
   * `cancelled`. Throws `not-found`, `unreadable`, `cancelled`.
   */
  find: call(
    z.object({
      ...asked,
      /** The line where the reader is. */
      near: z.object({ file: z.string(), offset: z.int().nonnegative() }).optional(),
    }),
    FindAnswer,
  ),
  /** One match by its row and its number there; null where it is gone. Throws `not-found`, `unreadable`. */
  place: call(
    z.object({ ...asked, row: z.int().nonnegative(), nth: z.int().nonnegative() }),
    FoundPlace.nullable(),
  ),
  /** The texts that match in some lines, to mark them; lines without a match are left out. Throws `not-found`, `unreadable`. */
  texts: call(z.object({ ...asked, lines: z.array(FindLine).max(200) }), z.array(FoundTexts)),
  /** Lets the texts of the conversation go. */
  forget: call(z.void(), z.void()),
}
