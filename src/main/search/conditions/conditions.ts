import { assertNever } from '../../../shared/model/basics/errors'
import { fold } from '../../../shared/model/basics/fold'
import { largestOf } from '../../../shared/model/basics/long-lists'
import type { EntryLabel } from '../../../shared/model/conversation/entry-labels'
import type { Query, QueryNode } from '../../../shared/model/query/query'
import { entryParts } from '../../../shared/model/query/query-fields'
import { meantTexts } from '../../../shared/model/query/sought-texts'
import { plainEmoji } from '../../../shared/model/search'
import {
  type Condition,
  isScopeField,
  leafConditions,
  type RegexCondition,
  type ScopeTest,
} from './condition'
import { labelTest } from './label-test'
import { patternCost } from './pattern-cost'
import { regexNeeds } from './regex-needs'

/** The conditions of a query. Plain data: it crosses to workers. */
export interface Conditions {
  /** Undefined where the query has none: there is nothing to find. */
  readonly root: Condition | undefined
  /** Conditions on conversations, which `root` names by their numbers. */
  readonly scope: readonly ScopeTest[]
  /** Lists of folded texts: every hit has all of one of them. Undefined where nothing is known. */
  readonly alternatives: readonly (readonly string[])[] | undefined
  /** Folded texts that hits may have, to be marked. */
  readonly marks: readonly string[]
  /** For each word and phrase that is asked for, the folded texts that it may be: hits are compared by them. */
  readonly terms: readonly (readonly string[])[]
}

/** Conditions that every entry passes. */
export const everything: Conditions = {
  root: { type: 'all', of: [] },
  scope: [],
  alternatives: undefined,
  marks: [],
  terms: [],
}

/**
 * Makes the conditions of a query. A text that folds to nothing is left out.
 *
 * @param labels those that the field `label` asks for
 */
export function conditionsOf(
  { root: asked, matchesCase, wantsWholeWords }: Omit<Query, 'pieces' | 'hints'>,
  labels: readonly EntryLabel[],
): Conditions {
  const scope: ScopeTest[] = []
  const root = conditionOf(asked)
  const leaves = root === undefined ? [] : leafConditions(root, false)
  const marks = leaves.flatMap((leaf) => (leaf.type === 'word' ? [leaf.folded] : []))
  const alternatives = root && alternativesOf(root)
  return { root, scope, alternatives, marks: [...new Set(marks)], terms: termsOf(asked) }

  function textCondition(text: string): Condition | undefined {
    const folded = fold(text)
    if (folded === '') return undefined
    return matchesCase || wantsWholeWords
      ? exactText(text, matchesCase, wantsWholeWords)
      : { type: 'word', folded }
  }

  function conditionOf(node: QueryNode): Condition | undefined {
    switch (node.type) {
      case 'text': {
        const of = meantTexts(node).flatMap((text) => textCondition(text) ?? [])
        return of.length < 2 ? of[0] : { type: 'any', of }
      }
      case 'regex':
        return { ...node, needs: regexNeeds(node.source), cost: patternCost(node.source) }
      case 'time':
        return node
      case 'field': {
        const { field, value } = node
        const folded = fold(field === 'reaction' ? plainEmoji(value) : value)
        if (isScopeField(field)) return { type: 'scope', at: scope.push({ field, folded }) - 1 }
        if (field === 'label') return labelTest(value, labels)
        if (field === 'has') return partCondition(value)
        return { type: 'field', field, folded }
      }
      case 'not': {
        const of = conditionOf(node.of)
        return of && { type: 'not', of }
      }
      case 'all':
      case 'any': {
        const of = node.of.flatMap((part) => conditionOf(part) ?? [])
        if (of.length <= 1) return of[0]
        // What costs nothing first: it may spare the texts.
        const costs = new Map(of.map((part) => [part, costOf(part)]))
        of.sort((a, b) => (costs.get(a) ?? 0) - (costs.get(b) ?? 0))
        return { type: node.type, of }
      }
      default:
        return assertNever(node)
    }
  }
}

/** Each once, whatever is typed twice. */
function termsOf(asked: QueryNode): Conditions['terms'] {
  const terms = textNodes(asked)
    .map((node) => meantTexts(node).flatMap((text) => fold(text) || []))
    .filter((texts) => texts.length > 0)
  return [...new Map(terms.map((texts) => [JSON.stringify(texts), texts])).values()]
}

function textNodes(node: QueryNode): readonly Extract<QueryNode, { type: 'text' }>[] {
  if (node.type === 'text') return [node]
  return node.type === 'all' || node.type === 'any' ? node.of.flatMap(textNodes) : []
}

/** Makes the condition that a text is there as it is written, or between borders of words, or both: a pattern of it. */
function exactText(text: string, matchesCase: boolean, isWhole: boolean): RegexCondition {
  const plain = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  const source = isWhole ? `(?<!${ofWords})${plain}(?!${ofWords})` : plain
  const flags = matchesCase ? '' : 'i'
  const [needs, cost] = [regexNeeds(source), patternCost(source)]
  return { type: 'regex', source, flags, needs, cost, isText: true }
}

/** Characters inside of words, with accents that follow by themselves. */
const ofWords = '[\\p{L}\\p{N}\\p{M}_]'

/** @param value of `hasValues` */
function partCondition(value: string): Condition {
  if (value === 'code') return { type: 'word', folded: '```' }
  if (value === 'link')
    return { type: 'any', of: ['https://', 'http://'].map((folded) => ({ type: 'word', folded })) }
  const part = entryParts.find((known) => known === value)
  return part === undefined ? { type: 'any', of: [] } : { type: 'has', part }
}

function costOf(condition: Condition): number {
  const costs = leafConditions(condition).map(({ type }) =>
    type === 'regex' ? 2 : type === 'word' ? 1 : 0,
  )
  return Math.max(0, largestOf(costs))
}

function requiredWords(condition: Condition | undefined): readonly string[] {
  if (condition?.type === 'word') return [condition.folded]
  if (condition?.type === 'regex') return requiredWords(condition.needs)
  if (condition?.type !== 'all') return []
  return [...new Set(condition.of.flatMap(requiredWords))]
}

/** With more alternatives than this it costs less to decode every line than to look for each. */
const mostAlternatives = 16

/** UTF-16 units of a word that few lines have. */
const tellingLength = 4

function alternativesOf(condition: Condition): Conditions['alternatives'] {
  const words = requiredWords(condition)
  if (words.some(({ length }) => length >= tellingLength)) return [words]
  if (condition.type === 'regex') return condition.needs && alternativesOf(condition.needs)
  if (condition.type === 'all') {
    const [fewest] = condition.of
      .flatMap((part) => {
        const lists = requiredWords(part).length > 0 ? undefined : alternativesOf(part)
        return lists === undefined ? [] : [lists]
      })
      .sort((a, b) => a.length - b.length)
    if (fewest !== undefined) return fewest.map((list) => [...new Set([...list, ...words])])
  }
  if (words.length > 0) return [words]
  if (condition.type !== 'any') return undefined
  const lists = condition.of.map(alternativesOf)
  const known = lists.flatMap((list) => list ?? [])
  return lists.includes(undefined) || known.length > mostAlternatives ? undefined : known
}
