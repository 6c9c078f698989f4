import { z } from 'zod'
import { ConversationQuote, OfferedFile, QuotedPart } from '../../model/attachments/mentions'
import { LibraryKey } from '../../model/conversation/conversation'
import { call } from '../wire/primitives'

/** Calls for what a message can name with `@`: files of allowed folders, other conversations. */
export const mentionsContract = {
  /**
   * The files in the folders that the file tools may work in, as they hold for a context, that fit what was typed; best first, 50 at
   * most. `isCut`: not all folders were walked.
   */
  files: call(
    z.object({ key: LibraryKey.optional(), query: z.string().max(200) }),
    z.object({ files: z.array(OfferedFile), isCut: z.boolean() }),
  ),
  /**
   * Reads a text file or an image of an allowed folder. Throws `bad-argument` for what lies outside, is kept from tools, is no file or too large;
   * `not-found`, `io`.
   */
  readFile: call(
    z.object({ key: LibraryKey.optional(), path: z.string().min(1).max(4096) }),
    z.object({ name: z.string(), bytes: z.instanceof(Uint8Array) }),
  ),
  /** Throws `not-found`, `unreadable`, and `bad-argument` where there is nothing to quote. */
  quote: call(z.object({ key: LibraryKey, part: QuotedPart }), ConversationQuote),
}
