import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { call } from '../wire/primitives'

const Tagging = z.object({ key: LibraryKey, tag: z.string().max(1000) })

/**
 * Calls of tags that a person gives to conversations. Both resolve to the tags that the conversation has then; its row
 * comes as `library.changed`. They throw `not-found`, `read-only`, `disk-full`, `io`.
 */
export const tagsContract = {
  /** One more; nothing happens where it is there in upper or lower case. Throws `bad-argument`: no tag, or too many. */
  add: call(Tagging, z.array(z.string())),
  /** Without it; nothing happens where it is not there. */
  remove: call(Tagging, z.array(z.string())),
}
