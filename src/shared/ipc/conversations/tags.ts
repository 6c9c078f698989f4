import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { LabelColor } from '../../model/conversation/label'
import { call } from '../wire/primitives'

const Tagging = z.object({ key: LibraryKey, tag: z.string().max(1000) })

/**
 * Calls of tags, pins and colours that a person gives to conversations. The first two resolve to the tags that the conversation has then; its row
 * comes as `library.changed`. All throw `not-found`, `read-only`, `disk-full`, `io`.
 */
export const tagsContract = {
  /**
   * One more, last or at a place that is counted from 0; nothing happens where it is there in upper or lower case. Throws
   * `bad-argument`: no tag, or too many.
   */
  add: call(Tagging.extend({ at: z.number().int().min(0).optional() }), z.array(z.string())),
  /** Without it; nothing happens where it is not there. */
  remove: call(Tagging, z.array(z.string())),
  /** Keeps it at the top of the library, or no longer; nothing happens where it is so already. */
  setPinned: call(z.object({ key: LibraryKey, pinned: z.boolean() }), z.void()),
  /** Gives it a colour; null takes it away. */
  setColor: call(z.object({ key: LibraryKey, color: LabelColor.nullable() }), z.void()),
  /** Leaves it out of the library's list, or no longer. */
  setHidden: call(z.object({ key: LibraryKey, hidden: z.boolean() }), z.void()),
}
