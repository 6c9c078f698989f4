import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { WindowSize } from '../../model/run/window-size'
import { call } from '../wire/primitives'

/** Calls and events of the part of the context window that the next request will take. */
export const windowSizeContract = {
  /**
   * The size of the request by what is on the disk, without the draft and without what plugins would add. Starts no
   * plugin and asks nobody. Throws `not-found`, `unreadable`, `bad-argument` (another system's conversation).
   */
  of: call(z.object({ key: LibraryKey }), WindowSize),
  /**
   * Tokens of a message that is being written, its images included, counted as `of` counts. Cheap enough to ask at every
   * pause of typing. Throws `bad-argument`.
   */
  draft: call(
    z.object({ key: LibraryKey, text: z.string().max(4_000_000), images: z.int().min(0).max(100) }),
    z.int().nonnegative(),
  ),
}
