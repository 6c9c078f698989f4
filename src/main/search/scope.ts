import { type LibraryKey, libraryKeyOf } from '../../shared/model/conversation/conversation'
import type { SearchableConversation, SearchFile, SearchScope } from '../../shared/model/search'
import type { Conditions } from './conditions/conditions'
import { type PlannedRange, type SegmentedFiles, segmentCount } from './plan'

/** Names of a conversation. */
type Named = Pick<SearchableConversation, 'source' | 'key'>

/** Scope of a search, prepared for its conversations. */
export interface Scope {
  /** Undefined where entries of any id are searched. */
  readonly entry: string | undefined
  /** Returns true where a conversation is in the scope. */
  has(conversation: Named): boolean
  /** Cuts segments down to what conversations of the scope hold and inherit. Linear in the ranges. */
  cut(territory: SegmentedFiles): SegmentedFiles
}

/** Prepares the scope of a search. */
export function prepareScope({ conversations, entry }: SearchScope): Scope {
  const keys = new Set<LibraryKey>(conversations)
  const has = ({ source, key }: Named) => keys.has(libraryKeyOf(source, key))

  function cutRange<Range extends PlannedRange>(range: Range): readonly Range[] {
    if (has(range.conversation)) return [range]
    const to = Math.min(range.to, inheritedUntil(range.file, has))
    return range.from < to ? [{ ...range, to }] : []
  }

  return {
    entry,
    has,
    cut({ units, uncovered }) {
      const inScope = units.flatMap((unit) => {
        const ranges = unit.ranges.flatMap(cutRange)
        return ranges.length === 0 ? [] : [{ ...unit, ranges }]
      })
      const rest = uncovered.flatMap(cutRange)
      const total = rest.reduce((sum, range) => sum + segmentCount([range]), inScope.length)
      return { units: inScope, uncovered: rest, total }
    },
  }
}

/** Adds to the conditions of a query what a scope asks of entries. */
export function scopedConditions(conditions: Conditions, scope: Scope | undefined): Conditions {
  if (scope?.entry === undefined) return conditions
  const { root } = conditions
  const entry = { type: 'entry', id: scope.entry } as const
  return { ...conditions, root: root && { type: 'all', of: [entry, root] } }
}

/** The byte offset up to which conversations of a scope inherited the entries of a file; 0 where none did. */
function inheritedUntil({ heirs = [] }: SearchFile, has: Scope['has']): number {
  return heirs.reduce((most, heir) => (has(heir) ? Math.max(most, heir.until) : most), 0)
}
