import type { ConversationSummary } from '../../shared/model/conversation'
import { daysBetween, monthName } from '../ui/format'

/** A row of the library: the head of a group, or a conversation. */
export type LibraryRow =
  | { readonly type: 'head'; readonly key: string; readonly name: string; readonly count: number }
  | {
      readonly type: 'conversation'
      readonly key: string
      readonly summary: ConversationSummary
      /** Counts conversations from 0. */
      readonly position: number
    }

/** Conversations under the heads of their dates; their order stays. */
export function groupByDate(
  conversations: readonly ConversationSummary[],
  nowMs: number,
): readonly LibraryRow[] {
  const groups = new Map<string, ConversationSummary[]>()
  for (const summary of conversations) {
    const name = groupName(summary.updated, nowMs)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [summary])
    else group.push(summary)
  }
  const rows: LibraryRow[] = []
  let position = 0
  for (const [name, members] of groups) {
    rows.push({ type: 'head', key: `head:${name}`, name, count: members.length })
    for (const summary of members)
      rows.push({ type: 'conversation', key: summary.key, summary, position: position++ })
  }
  return rows
}

/** Conversations whose titles hold the words of the filter, in any case. */
export function filterByTitle(
  conversations: readonly ConversationSummary[],
  filter: string,
): readonly ConversationSummary[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return conversations
  return conversations.filter(({ title }) => {
    const lower = title.toLowerCase()
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

/** How many conversations there are of each source, the source with most first. */
export function countSources(
  conversations: readonly ConversationSummary[],
): readonly (readonly [source: string, count: number])[] {
  const counts = new Map<string, number>()
  for (const { source } of conversations) counts.set(source, (counts.get(source) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

function groupName(updated: string | null, nowMs: number): string {
  const ms = updated === null ? Number.NaN : Date.parse(updated)
  if (Number.isNaN(ms)) return 'Without a date'
  const days = daysBetween(ms, nowMs)
  if (days <= 0) return 'Today'
  if (days === 1) return 'Yesterday'
  return days <= 7 ? 'Last 7 days' : monthName(ms)
}
