import type { ConversationSummary } from '../../shared/model/conversation/conversation'
import { hasTag } from '../../shared/model/conversation/tag'

/** Conversations whose titles hold the words of the filter, in any case; a context that was given one, by its name too. */
export function filterByTitle(
  conversations: readonly ConversationSummary[],
  filter: string,
): readonly ConversationSummary[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return conversations
  return conversations.filter(({ title, titled, source, key }) => {
    const name = titled !== undefined && source === 'chibi' ? ` ${key}` : ''
    const lower = `${title}${name}`.toLowerCase()
    return words.every((word) => lower.includes(word))
  })
}

/** Conversations of one source; all of them without one. */
export function filterBySource(
  conversations: readonly ConversationSummary[],
  source: string | undefined,
): readonly ConversationSummary[] {
  return source === undefined
    ? conversations
    : conversations.filter((summary) => summary.source === source)
}

/** Conversations with one tag, in any case; all of them without one. */
export function filterByTag(
  conversations: readonly ConversationSummary[],
  tag: string | undefined,
): readonly ConversationSummary[] {
  return tag === undefined ? conversations : conversations.filter(({ tags }) => hasTag(tags, tag))
}

/** How many conversations there are of each source, the source with most first; the chosen one also when it has none. */
export function countSources(
  conversations: readonly ConversationSummary[],
  chosen?: string,
): readonly (readonly [source: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { source } of conversations) counts.set(source, (counts.get(source) ?? 0) + 1)
  if (chosen !== undefined && !counts.has(chosen)) counts.set(chosen, 0)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** Those that are put away, or those that are not. Only contexts of our home can be. */
export function filterByArchived(
  conversations: readonly ConversationSummary[],
  archived: ReadonlySet<string>,
  showsArchived: boolean,
): readonly ConversationSummary[] {
  if (archived.size === 0) return conversations
  return conversations.filter(({ key }) => archived.has(key) === showsArchived)
}
