import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { EntryId } from '../../model/conversation/entry'
import { Sent, SentAround } from '../../model/run/sent'
import { call } from '../wire/primitives'

const Answer = z.object({ key: LibraryKey, entryId: EntryId })

/** Calls that answer with the request a model was sent before an answer. */
export const sentContract = {
  /**
   * An answer is a message of the model, or the first entry of calls that it made. Throws `not-found`, `unreadable`,
   * `bad-argument` (another system's conversation: what its model was sent is not known here; no answer).
   */
  of: call(Answer, Sent),
  /** The whole request as indented JSON. Throws as `of`. */
  body: call(Answer, z.string()),
  /** Answers to compare it with. Throws as `of`. */
  around: call(Answer, SentAround),
}
