import type { EntryPart } from '../../../shared/model/query/query-fields'
import type { SearchFacts } from '../../../shared/model/search'
import type { LabelTest } from './label-test'
import type { PatternCost } from './pattern-cost'

/** A fact of an entry that a condition compares: a name whole, a fact by a part of it. */
export type EntryField = 'role' | 'type' | 'tool' | 'to' | 'branch' | keyof SearchFacts

const scopeFields = ['source', 'context', 'title', 'tag', 'color'] as const

/** Returns true for a field that asks about the conversation. */
export function isScopeField(field: string): field is ScopeTest['field'] {
  return scopeFields.some((known) => known === field)
}

/** A condition on a conversation. */
export interface ScopeTest {
  readonly field: (typeof scopeFields)[number]
  readonly folded: string
}

/** A pattern that the text, as it is, matches; see `compiledRegex`. */
export interface RegexCondition {
  readonly type: 'regex'
  readonly source: string
  readonly flags: string
  /** Words of which the folded text has what this asks, wherever the pattern matches; undefined where nothing is known. */
  readonly needs: Condition | undefined
  /** Bound of the steps that it takes; undefined where it may compute without end. */
  readonly cost: PatternCost | undefined
  /** It is a word or a phrase, which no text makes compute for long. */
  readonly isText?: true
}

/** A condition that has no parts. */
export type LeafCondition =
  /** The folded text has this. */
  | { readonly type: 'word'; readonly folded: string }
  | RegexCondition
  | { readonly type: 'field'; readonly field: EntryField; readonly folded: string }
  | { readonly type: 'time'; readonly field: 'before' | 'after'; readonly seconds: number }
  | LabelTest
  /** The entry has this beside its text. */
  | { readonly type: 'has'; readonly part: EntryPart }
  /** The entry of this id alone. */
  | { readonly type: 'entry'; readonly id: string }
  /** The condition on the conversation that has this number in `Conditions.scope`. */
  | { readonly type: 'scope'; readonly at: number }

/** A condition on an entry and its conversation, folded. Plain data: it crosses to workers. */
export type Condition =
  | LeafCondition
  | { readonly type: 'not'; readonly of: Condition }
  | { readonly type: 'all'; readonly of: readonly Condition[] }
  | { readonly type: 'any'; readonly of: readonly Condition[] }

/**
 * Returns whether a condition holds; undefined where that hangs on leaves that are not known.
 *
 * @param leaf whether a leaf holds; undefined where it is not known
 */
export function truthOf(
  condition: Condition,
  leaf: (leaf: LeafCondition) => boolean | undefined,
): boolean | undefined {
  if (condition.type === 'not') {
    const truth = truthOf(condition.of, leaf)
    return truth === undefined ? undefined : !truth
  }
  if (condition.type !== 'all' && condition.type !== 'any') return leaf(condition)
  const decides = condition.type === 'any'
  let isKnown = true
  for (const part of condition.of) {
    const truth = truthOf(part, leaf)
    if (truth === decides) return decides
    isKnown &&= truth !== undefined
  }
  return isKnown ? !decides : undefined
}

/** Lists the leaves of a condition, in order. @param wantsExcluded those under a `not`, too */
export function leafConditions(
  condition: Condition,
  wantsExcluded = true,
): readonly LeafCondition[] {
  if (condition.type === 'all' || condition.type === 'any')
    return condition.of.flatMap((part) => leafConditions(part, wantsExcluded))
  if (condition.type === 'not') return wantsExcluded ? leafConditions(condition.of, true) : []
  return [condition]
}
