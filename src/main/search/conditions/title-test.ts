import { compiledRegex } from '../../../shared/model/query/regex'
import { leafConditions, type RegexCondition, truthOf } from './condition'
import type { Conditions } from './conditions'
import { type EntryConversation, factHolds } from './holds'

/** A text that a conversation is found by: its title, or its name. */
export interface CalledText {
  readonly text: string
  readonly folded: string
}

/** Returns the places of exact texts in a title that passes; undefined for one that does not. */
export type TitleTest = (
  title: CalledText,
  conversation: EntryConversation,
  scope: readonly boolean[],
) => readonly [number, number][] | undefined

/** Makes the test of titles. One passes only where a word that is asked for is in it, and patterns are not known of it. */
export function titleTest({ root, marks }: Conditions): TitleTest {
  const exact = new Map<RegexCondition, RegExp>()
  const wanted: RegExp[] = []
  for (const leaf of root === undefined ? [] : leafConditions(root))
    if (leaf.type === 'regex' && leaf.isText)
      exact.set(leaf, compiledRegex(leaf.source, leaf.flags))
  for (const leaf of root === undefined ? [] : leafConditions(root, false)) {
    const pattern = leaf.type === 'regex' ? exact.get(leaf) : undefined
    if (pattern !== undefined) wanted.push(pattern)
  }
  const none = { entryId: '', timestamp: null, field: 'content', text: '', type: '' } as const

  return ({ text, folded }, conversation, scope) => {
    if (root === undefined) return undefined
    const places = wanted.flatMap((pattern) => [...text.matchAll(pattern)].map(placeOf))
    if (places.length === 0 && !marks.some((mark) => folded.includes(mark))) return undefined
    const passes = truthOf(root, (leaf) => {
      if (leaf.type === 'word') return folded.includes(leaf.folded)
      if (leaf.type !== 'regex') return factHolds(leaf, none, conversation, scope)
      const pattern = exact.get(leaf)
      return pattern && text.search(pattern) >= 0
    })
    return passes === true ? places : undefined
  }
}

function placeOf({ 0: match, index }: RegExpMatchArray): [number, number] {
  return [index ?? 0, (index ?? 0) + match.length]
}
