import { z } from 'zod'
import { ConversationSummary } from '../../model/conversation/conversation'
import { call, event } from '../wire/primitives'

/** Calls and events of the library's list. */
export const libraryContract = {
  /** Conversations, most recently updated first. Throws `unreadable`. */
  list: call(
    z.object({ cursor: z.string().optional(), limit: z.int().min(1).max(500) }),
    z.object({
      conversations: z.array(ConversationSummary),
      next: z.string().optional(),
      total: z.int(),
    }),
  ),
  /** Some conversations are new or changed, some keys are gone from the disk. */
  changed: event(
    z.object({ conversations: z.array(ConversationSummary), gone: z.array(z.string()) }),
  ),
}
