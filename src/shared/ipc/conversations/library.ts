import { z } from 'zod'
import { ConversationSummary } from '../../model/conversation/conversation'
import { ListingState } from '../../model/listing-state'
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
      /** The list is not known to its end: more rows come by `changed`, and so does what is read of provisional ones. */
      listing: z.enum(['finding', 'reading']).optional(),
    }),
  ),
  /** Some conversations are new or changed, some keys are gone from the disk. Of a list that is not whole yet, four a second. */
  changed: event(
    z.object({
      conversations: z.array(ConversationSummary),
      gone: z.array(z.string()),
      listing: ListingState.optional(),
    }),
  ),
}
