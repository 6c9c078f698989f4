import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { PlacedFormat } from '../../model/export'
import { call } from '../wire/primitives'

/** Calls by which other programs go on with a conversation. */
export const continuingContract = {
  /**
   * Makes the command by which a conversation's own program goes on with it, quoted for a shell. Runs nothing. Throws `not-found`,
   * `unreadable`, `bad-argument` where there is none.
   */
  command: call(z.object({ key: LibraryKey }), z.object({ command: z.string() })),
  /**
   * Writes a new session into the program's own folder, once a person allowed exactly that file in a dialog of the system. No file
   * that is there is changed. Throws `denied`, `busy`, `bad-argument`, `not-found`, `unreadable`, `disk-full`, `io`.
   */
  save: call(
    z.object({ key: LibraryKey, format: PlacedFormat }),
    z.object({
      /** As people write it. */
      file: z.string(),
      bytes: z.int(),
      entries: z.int(),
      damaged: z.int(),
      /** As of `exports.save`. */
      unread: z.array(z.string()),
      /** Goes on with it. */
      command: z.string(),
    }),
  ),
}
