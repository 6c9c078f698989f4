import type { AST } from '@eslint-community/regexpp'
import { parsedRegex } from './regex-tree'

/** Bound of the steps that a pattern takes on a text: `factor` times the text's UTF-16 units to the power of `degree`. */
export interface PatternCost {
  readonly factor: number
  readonly degree: number
}

/**
 * Finds a bound of the steps that a pattern takes on any text; undefined where there is none of this form, as with repeated groups
 * that can match in several ways, and with references back.
 *
 * @param source compiles, see `compiledRegex`
 */
export function patternCost(source: string): PatternCost | undefined {
  const { alternatives } = parsedRegex(source)
  const [only] = alternatives
  // What is repeated at the end is never tried again: the pattern matches by then.
  const last = alternatives.length === 1 ? only?.elements.at(-1) : undefined
  const elements = only?.elements ?? []
  const ways =
    last?.type === 'Quantifier' && isOneCharacter(last.element)
      ? waysOfSequence(elements.slice(0, -1))
      : waysOfAlternatives(alternatives)
  if (ways === undefined) return undefined
  const least = last?.type === 'Quantifier' ? Math.max(1, last.min) : 1
  return { factor: ways.factor * least, degree: ways.degree + 1 }
}

/** Computes the bound for a text of so many UTF-16 units. */
export function stepsOn({ factor, degree }: PatternCost, units: number): number {
  return factor * units ** degree
}

/** In how many ways, times steps, something can match from one place on. */
type Ways = PatternCost

const one: Ways = { factor: 1, degree: 0 }

function waysOfAlternatives(alternatives: readonly AST.Alternative[]): Ways | undefined {
  let sum: Ways = { factor: 0, degree: 0 }
  for (const { elements } of alternatives) {
    const ways = waysOfSequence(elements)
    if (ways === undefined) return undefined
    sum = { factor: sum.factor + ways.factor, degree: Math.max(sum.degree, ways.degree) }
  }
  return sum
}

function waysOfSequence(elements: readonly AST.Element[]): Ways | undefined {
  let product = one
  for (const element of elements) {
    const ways = waysOf(element)
    if (ways === undefined) return undefined
    product = {
      factor: product.factor * ways.factor,
      degree: product.degree + ways.degree,
    }
  }
  return product
}

function waysOf(element: AST.Element): Ways | undefined {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return waysOfAlternatives(element.alternatives)
    case 'Assertion':
      return 'alternatives' in element ? waysOfAlternatives(element.alternatives) : one
    case 'Quantifier':
      return waysOfRepeated(element)
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return one
    default:
      return undefined
  }
}

function waysOfRepeated({ element, max }: AST.Quantifier): Ways | undefined {
  if (isOneCharacter(element))
    return max === Number.POSITIVE_INFINITY
      ? { factor: 1, degree: 1 }
      : { factor: Math.max(1, max), degree: 0 }
  if (max > 1) return undefined
  const ways = waysOf(element)
  return ways && { ...ways, factor: ways.factor + 1 }
}

function isOneCharacter({ type }: AST.Element): boolean {
  return type === 'Character' || type === 'CharacterClass' || type === 'CharacterSet'
}
