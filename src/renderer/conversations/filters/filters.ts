import type { ConversationSummary } from '../../../shared/model/conversation/conversation'
import type { LabelColor } from '../../../shared/model/conversation/label'
import { hasTag } from '../../../shared/model/conversation/tag'
import { isInSmartList, type SmartListId } from '../../../shared/model/lists/smart-lists'
import { projectPath } from '../order/group-heads'

/**
 * Returns the conversations whose titles contain every word of the filter, in any case; a titled context also by its
 * name.
 */
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

/** Returns the conversations of one source; all of them without one. */
export function filterBySource(
  conversations: readonly ConversationSummary[],
  source: string | undefined,
): readonly ConversationSummary[] {
  return source === undefined
    ? conversations
    : conversations.filter((summary) => summary.source === source)
}

/** Returns the conversations with a tag, in any case; all of them without one. */
export function filterByTag(
  conversations: readonly ConversationSummary[],
  tag: string | undefined,
): readonly ConversationSummary[] {
  return tag === undefined ? conversations : conversations.filter(({ tags }) => hasTag(tags, tag))
}

/** Returns the conversations of a colour; all of them without one. */
export function filterByColor(
  conversations: readonly ConversationSummary[],
  color: LabelColor | undefined,
): readonly ConversationSummary[] {
  return color === undefined ? conversations : conversations.filter((row) => row.color === color)
}

/** Returns the hidden conversations, or all others; the same array where none is hidden. */
export function filterByHidden(
  conversations: readonly ConversationSummary[],
  showsHidden: boolean,
): readonly ConversationSummary[] {
  if (!showsHidden && !conversations.some(({ hidden }) => hidden)) return conversations
  return conversations.filter(({ hidden = false }) => hidden === showsHidden)
}

/** Returns the conversations of a project, with or without a slash at its end; all of them without one. */
export function filterByProject(
  conversations: readonly ConversationSummary[],
  project: string | undefined,
): readonly ConversationSummary[] {
  if (project === undefined) return conversations
  const path = projectPath(project)
  return conversations.filter((row) => projectPath(row.project) === path)
}

/** Returns the conversations of a smart list; all of them without one. @param found those that reading found for it */
export function filterByList(
  conversations: readonly ConversationSummary[],
  list: SmartListId | undefined,
  nowMs: number,
  found: ReadonlySet<string> | undefined,
): readonly ConversationSummary[] {
  return list === undefined
    ? conversations
    : conversations.filter((row) => isInSmartList(row, list, nowMs, found))
}

/** Returns the number of conversations by source, largest first; `chosen` is listed even with none. */
export function countSources(
  conversations: readonly ConversationSummary[],
  chosen?: string,
): readonly (readonly [source: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { source } of conversations) counts.set(source, (counts.get(source) ?? 0) + 1)
  if (chosen !== undefined && !counts.has(chosen)) counts.set(chosen, 0)
  return [...counts].sort((a, b) => b[1] - a[1])
}

/** Returns the conversations that a view picked; all of them without a pick. */
export function filterByPick(
  conversations: readonly ConversationSummary[],
  keys: ReadonlySet<string> | undefined,
): readonly ConversationSummary[] {
  return keys === undefined ? conversations : conversations.filter(({ key }) => keys.has(key))
}

/** Returns the archived conversations, or all others. Only contexts can be archived. */
export function filterByArchived(
  conversations: readonly ConversationSummary[],
  archived: ReadonlySet<string>,
  showsArchived: boolean,
): readonly ConversationSummary[] {
  if (archived.size === 0) return conversations
  return conversations.filter(({ key }) => archived.has(key) === showsArchived)
}
