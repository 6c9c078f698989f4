import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { LostAndFound, LostLines } from '../../model/lost'
import { call } from '../wire/primitives'

/** Calls of the problems view: what is lost, and the damaged lines of one conversation. */
export const lostContract = {
  /**
   * What is not where it belongs, as far as conversations were counted; with `again` the disk is read again, without
   * it what the watch has noticed is enough. Throws `unreadable`.
   */
  list: call(z.object({ again: z.boolean() }), LostAndFound),
  /** The damaged lines of a conversation, the first of them; reads all of it. Throws `not-found`, `unreadable`. */
  lines: call(z.object({ key: LibraryKey, limit: z.int().min(1).max(1000) }), LostLines),
  /** Does not list a conversation any longer whose files are gone. */
  forget: call(z.object({ key: LibraryKey }), z.void()),
}
