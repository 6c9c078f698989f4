import { assertNever } from '../../shared/model/basics/errors'
import { fold } from '../../shared/model/basics/fold'
import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import { hasTag } from '../../shared/model/conversation/tag'
import {
  plainEmoji,
  type SearchableConversation,
  type SearchableEntry,
  type SearchFacts,
} from '../../shared/model/search'
import { hasLabel, type LabelTest, labelTest } from './label-test'
import type { Clause, Query } from './query'

type FactField = keyof SearchFacts
type EntryField = 'role' | 'type' | 'tool' | FactField

/** A condition on an entry's fields, label or time, not on its text. */
export type EntryTest =
  | LabelTest
  | {
      readonly type: 'field'
      readonly field: EntryField
      readonly folded: string
      readonly negated: boolean
    }
  | {
      readonly type: 'time'
      readonly field: 'before' | 'after'
      readonly seconds: number
      readonly negated: boolean
    }
  /** The entry of this id alone. */
  | { readonly type: 'entry'; readonly id: string; readonly negated: boolean }

/** A condition on a conversation. */
export interface ScopeTest {
  readonly field: 'source' | 'context' | 'title' | 'tag'
  readonly folded: string
  readonly negated: boolean
}

/** The conditions of a query, folded and grouped by what they are about. Plain data: it crosses to workers. */
export interface Conditions {
  /** Each is in the text. */
  readonly words: readonly string[]
  /** None is in the text. */
  readonly without: readonly string[]
  readonly tests: readonly EntryTest[]
  readonly scope: readonly ScopeTest[]
}

/**
 * Groups a query's clauses into conditions. A word that folds to nothing is left out.
 *
 * @param labels those that the field `label` asks for
 */
export function conditionsOf(query: Query, labels: readonly EntryLabel[]): Conditions {
  const words = new Set<string>()
  const without = new Set<string>()
  const tests: EntryTest[] = []
  const scope: ScopeTest[] = []
  for (const clause of query.clauses) place(clause)
  return { words: [...words], without: [...without], tests, scope }

  function place(clause: Clause): void {
    switch (clause.type) {
      case 'text': {
        const folded = fold(clause.text)
        if (folded !== '') (clause.negated ? without : words).add(folded)
        return
      }
      case 'time':
        tests.push(clause)
        return
      case 'field': {
        const { field, negated } = clause
        const folded = fold(field === 'reaction' ? plainEmoji(clause.value) : clause.value)
        if (field === 'source' || field === 'context' || field === 'title' || field === 'tag')
          scope.push({ field, folded, negated })
        else if (field === 'label') tests.push(labelTest(clause.value, negated, labels))
        else tests.push({ type: 'field', field, folded, negated })
        return
      }
      default:
        assertNever(clause)
    }
  }
}

/** Returns true where the query has a condition: without one there is nothing to find. */
export function asksForAnything(conditions: Conditions): boolean {
  const { words, without, tests, scope } = conditions
  return words.length + without.length + tests.length + scope.length > 0
}

/**
 * Returns true where a conversation is in the query's scope: `source:`, `context:` and `tag:` compare whole names,
 * `title:` a part.
 */
export function isInScope(
  conversation: SearchableConversation,
  scope: readonly ScopeTest[],
): boolean {
  return scope.every(({ field, folded, negated }) => {
    const holds =
      field === 'source'
        ? fold(conversation.source) === folded
        : field === 'context'
          ? fold(conversation.key) === folded
          : field === 'tag'
            ? hasTag(conversation.tags, folded)
            : fold(conversation.title).includes(folded)
    return holds !== negated
  })
}

/**
 * Returns true where an entry passes all conditions that are not on its text.
 *
 * @param conversation with its time
 */
export function passesTests(
  entry: SearchableEntry,
  conversation: EntryConversation,
  tests: readonly EntryTest[],
): boolean {
  return tests.every((test) => holds(test, entry, conversation) !== test.negated)
}

/** The facts of its conversation that conditions on an entry ask for. */
interface EntryConversation {
  readonly source: string
  readonly key: string
  readonly updated: number | null
}

function holds(test: EntryTest, entry: SearchableEntry, conversation: EntryConversation): boolean {
  if (test.type === 'label') return hasLabel(test, conversation, entry.entryId)
  if (test.type === 'entry') return entry.entryId === test.id
  if (test.type === 'field') {
    if (test.field === 'role' || test.field === 'type' || test.field === 'tool')
      return fold(entry[test.field] ?? '') === test.folded
    const fact = fold(entry.facts?.[test.field] ?? '')
    return fact.includes(test.folded)
  }
  const seconds = entry.timestamp ?? conversation.updated
  if (seconds === null) return false
  return test.field === 'before' ? seconds < test.seconds : seconds >= test.seconds
}

/**
 * Returns the folded texts that must be in the facts of an entry, as far as filters know them: a segment without one
 * has no match.
 */
export function factWords({ tests }: Conditions): readonly string[] {
  return tests.flatMap((test) => {
    if (test.type !== 'field' || test.negated) return []
    const isKnown = test.field !== 'role' && test.field !== 'type' && test.field !== 'tool'
    return isKnown ? [test.folded] : []
  })
}

/** Returns true where a folded text has all the words and none of the excluded ones. */
export function hasWords(folded: string, conditions: Conditions): boolean {
  return (
    conditions.words.every((word) => folded.includes(word)) &&
    !conditions.without.some((word) => folded.includes(word))
  )
}
