import type { ConversationSummary } from '../../shared/model/conversation/conversation'
import type { Grouping } from '../state/app/layout'
import { type GroupHead, groupKinds, ungroupedId } from './group-heads'

/** Row of the library: the head of a group, or a conversation. */
export type LibraryRow =
  | ({ readonly type: 'head'; readonly key: string; readonly count: number } & GroupHead)
  | {
      readonly type: 'conversation'
      readonly key: string
      readonly summary: ConversationSummary
      /** Counts conversations from 0. */
      readonly position: number
    }

const titleOrder = new Intl.Collator(undefined, { numeric: true })

/** Sorts conversations by title in the language of the system, numbers by value; equal titles keep their order. */
export function sortByTitle(
  conversations: readonly ConversationSummary[],
): readonly ConversationSummary[] {
  return [...conversations].sort((a, b) =>
    titleOrder.compare(a.title.trimStart(), b.title.trimStart()),
  )
}

/**
 * Groups conversations under heads. They keep their order, and groups come in the order of their first conversation;
 * ungrouped ones last.
 */
export function groupRows(
  conversations: readonly ConversationSummary[],
  grouping: Grouping,
  nowMs: number,
): readonly LibraryRow[] {
  const { idOf, headsOf } = groupKinds[grouping]
  const groups = new Map<string, ConversationSummary[]>()
  for (const summary of conversations) {
    const id = idOf(summary, nowMs)
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [summary])
    else group.push(summary)
  }
  const others = groups.get(ungroupedId)
  if (others !== undefined) {
    groups.delete(ungroupedId)
    groups.set(ungroupedId, others)
  }
  const ids = [...groups.keys()]
  const heads = headsOf(ids)
  const rows: LibraryRow[] = []
  let position = 0
  for (const [index, id] of ids.entries()) {
    const head = heads[index] ?? { name: id }
    const members = groups.get(id) ?? []
    rows.push({ type: 'head', key: `head:${id}`, count: members.length, ...head })
    for (const summary of members)
      rows.push({ type: 'conversation', key: summary.key, summary, position: position++ })
  }
  return rows
}
