import { isWrittenByPerson } from '../../../shared/model/conversation/entry'
import type { ListItem } from '../items/use-items'

/** Kind of items that a skimmed transcript hides. */
export type HiddenKind = 'tool' | 'reasoning' | 'answer' | 'damaged' | 'other'

/** Items of a skimmed transcript, and how many of each kind are not among them. */
export interface SkimmedItems {
  readonly items: readonly ListItem[]
  readonly hidden: ReadonlyMap<HiddenKind, number>
}

/** Copies of answers with the speaker's name above them: what it stood above is hidden. The same copy each time. */
const named = new WeakMap<ListItem, ListItem>()

/**
 * Leaves prompts, the last answer to each, what is being written, borders and days with any of these. O(items).
 *
 * @param isKept keeps other items, such as those that a reader went to
 */
export function skimItems(
  items: readonly ListItem[],
  isKept: (item: ListItem) => boolean,
): SkimmedItems {
  const hidden = new Map<HiddenKind, number>()
  const kept: ListItem[] = []
  /** Nothing that answers the prompt before is behind it. */
  let isLast = true
  for (const item of items.toReversed()) {
    const kind = kindOf(item)
    if (item.type === 'day') {
      if (kept.length > 0 && kept.at(-1)?.type !== 'day') kept.push(item)
      continue
    }
    const isAnswer = item.type === 'agent' || item.type === 'error' || item.type === 'live'
    if (kind === undefined || (isAnswer && isLast) || isKept(item)) kept.push(withName(item))
    else hidden.set(kind, (hidden.get(kind) ?? 0) + 1)
    if (item.type === 'user' && kind === undefined) isLast = true
    else if (isAnswer) isLast = false
  }
  return { items: kept.reverse(), hidden }
}

/** The kind that an item counts as where it is hidden; undefined for items that are never hidden. */
function kindOf(item: ListItem): HiddenKind | undefined {
  switch (item.type) {
    case 'user':
      // What a tool put into a person's mouth is no prompt.
      return isWrittenByPerson(item.entry) ? undefined : 'other'
    case 'tool':
    case 'reasoning':
    case 'damaged':
      return item.type
    case 'agent':
    case 'error':
      return 'answer'
    case 'reaction':
    case 'other':
      return 'other'
    default:
      return undefined
  }
}

function withName(item: ListItem): ListItem {
  if (item.type !== 'agent' || item.isHead) return item
  const known = named.get(item)
  if (known !== undefined) return known
  const copy: ListItem = { ...item, isHead: true }
  named.set(item, copy)
  return copy
}
