import { isoSeconds } from '../../../shared/model/basics/time'
import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { SearchableConversation } from '../../../shared/model/search'
import type { ConversationCount } from '../count/count-by-reading'
import type { ConversationListing } from './conversation-source'

/**
 * Returns a conversation for search: with the title that people see, and the files that hold it now. One that cannot
 * be read has no files, and is still found by its title.
 *
 * @param counted what is known of parts that cannot be read; for one that was not counted, its listing has them
 */
export function searchableOf(
  listed: ConversationListing,
  row: ConversationSummary,
  counted: Pick<ConversationCount, 'unread'> | undefined,
): SearchableConversation {
  const { source, ownKey, files, tree } = listed
  const { title, titled, tags, color, created, updated, unreadable } = row
  const unread = [...new Set([...listed.missing, ...(counted?.unread ?? [])])]
  return {
    source,
    key: ownKey,
    title,
    // Only a context of ours has a name that was given to it.
    ...(titled !== undefined && source === 'chibi' ? { name: ownKey } : {}),
    ...(tags === undefined ? {} : { tags }),
    ...(color === undefined ? {} : { color }),
    updated: isoSeconds(updated) ?? null,
    created: isoSeconds(created),
    ...(unreadable === undefined || files.length > 0 ? {} : { unreadable }),
    ...(unread.length === 0 ? {} : { unread }),
    ...(tree === undefined ? {} : { tree }),
    files,
  }
}
