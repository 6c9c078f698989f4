import { fold } from '../../../shared/model/basics/fold'
import { hasTag } from '../../../shared/model/conversation/tag'
import type { SearchableConversation, SearchableEntry } from '../../../shared/model/search'
import type { LeafCondition, ScopeTest } from './condition'
import { hasLabel } from './label-test'

/** The facts of its conversation that conditions on an entry ask for. */
export interface EntryConversation {
  readonly source: string
  readonly key: string
  /** Unix seconds: the time of entries without one. */
  readonly updated: number | null
}

/**
 * Returns whether a leaf holds of an entry, by what is not its text: undefined for words and patterns.
 *
 * @param scope whether the conditions on its conversation hold, by their numbers
 */
export function factHolds(
  leaf: LeafCondition,
  entry: SearchableEntry,
  conversation: EntryConversation,
  scope: readonly boolean[],
): boolean | undefined {
  switch (leaf.type) {
    case 'word':
    case 'regex':
      return undefined
    case 'scope':
      return scope[leaf.at]
    case 'label':
      return hasLabel(leaf, conversation, entry.entryId)
    case 'entry':
      return entry.entryId === leaf.id
    case 'has':
      return entry.has?.includes(leaf.part) === true
    case 'field':
      if (leaf.field === 'to') return fold(entry.to ?? '').includes(leaf.folded)
      if (
        leaf.field === 'role' ||
        leaf.field === 'type' ||
        leaf.field === 'tool' ||
        leaf.field === 'branch'
      )
        return fold(entry[leaf.field] ?? '') === leaf.folded
      return fold(entry.facts?.[leaf.field] ?? '').includes(leaf.folded)
    case 'time': {
      const seconds = entry.timestamp ?? conversation.updated
      if (seconds === null) return false
      return leaf.field === 'before' ? seconds < leaf.seconds : seconds >= leaf.seconds
    }
  }
}

/** Returns whether a condition on conversations holds: `source:`, `context:`, `tag:` and `color:` compare whole names, `title:` a part. */
export function scopeHolds(
  { source, key, title, tags, color }: SearchableConversation,
  { field, folded }: ScopeTest,
): boolean {
  switch (field) {
    case 'source':
      return fold(source) === folded
    case 'context':
      return fold(key) === folded
    case 'tag':
      return hasTag(tags, folded)
    case 'color':
      return color === folded
    case 'title':
      return fold(title).includes(folded)
  }
}
