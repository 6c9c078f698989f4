import type { AST } from '@eslint-community/regexpp'
import { parsedRegex } from './regex-tree'

/** Bound of the steps that a pattern takes on a text: `factor` times the places in the text to the power of `degree`. */
export interface PatternCost {
  readonly factor: number
  readonly degree: number
}

/**
 * Finds a bound of the steps that a search for all places of a pattern takes in any text; undefined where there is none of this
 * form, as with repeated groups that can match in several ways, and with references back. A step is one look at a character, or
 * one try of an alternative or an assertion.
 *
 * @param source compiles, see `compiledRegex`
 */
export function patternCost(source: string): PatternCost | undefined {
  const tries = alternativesTries(parsedRegex(source).alternatives, true)
  // From each place in the text.
  return tries && { factor: tries.steps.factor, degree: tries.steps.degree + 1 }
}

/** Computes the bound for a text of so many UTF-16 units, which has one place more than units. */
export function stepsOn({ factor, degree }: PatternCost, units: number): number {
  return factor * (units + 1) ** degree
}

/** What a part of a pattern may do from one place on, where all that follows it fails. */
interface Tries {
  /** In how many ways it matches: what follows is tried after each. */
  readonly ways: PatternCost
  /** The steps that it takes itself, until it has no further way. */
  readonly steps: PatternCost
}

const one: PatternCost = { factor: 1, degree: 0 }

/** @param isWhole they are the whole pattern: the first way in which one of them matches is the last */
function alternativesTries(
  alternatives: readonly AST.Alternative[],
  isWhole = false,
): Tries | undefined {
  let all: Tries = {
    ways: { factor: 0, degree: 0 },
    steps: { factor: alternatives.length, degree: 0 },
  }
  for (const { elements } of alternatives) {
    const tries = sequenceTries(elements, isWhole)
    if (tries === undefined) return undefined
    all = { ways: sum(all.ways, tries.ways), steps: sum(all.steps, tries.steps) }
  }
  return all
}

function sequenceTries(elements: readonly AST.Element[], isWhole: boolean): Tries | undefined {
  let all: Tries = { ways: one, steps: { factor: 0, degree: 0 } }
  for (const [at, element] of elements.entries()) {
    const isEnd = isWhole && at === elements.length - 1
    const tries = isEnd ? triesAtEnd(element) : triesOf(element)
    if (tries === undefined) return undefined
    all = {
      ways: product(all.ways, tries.ways),
      steps: sum(all.steps, product(all.ways, tries.steps)),
    }
  }
  return all
}

/**
 * What is repeated at the end of a pattern is never tried again: the pattern matches by then, and the search goes on behind. So
 * all matches together look at each character once, and at one more each; other tries end before the least number.
 */
function triesAtEnd(element: AST.Element): Tries | undefined {
  if (element.type !== 'Quantifier' || !isOneCharacter(element.element)) return triesOf(element)
  return { ways: one, steps: { factor: element.min + 2, degree: 0 } }
}

function triesOf(element: AST.Element): Tries | undefined {
  switch (element.type) {
    case 'Group':
    case 'CapturingGroup':
      return alternativesTries(element.alternatives)
    case 'Assertion': {
      if (!('alternatives' in element)) return { ways: one, steps: one }
      const inside = alternativesTries(element.alternatives)
      // Once it holds, it is not tried in another way.
      return inside && { ways: one, steps: sum(one, inside.steps) }
    }
    case 'Quantifier':
      return triesOfRepeated(element)
    case 'Character':
    case 'CharacterClass':
    case 'CharacterSet':
      return { ways: one, steps: one }
    default:
      return undefined
  }
}

function triesOfRepeated({ element, min, max }: AST.Quantifier): Tries | undefined {
  if (isOneCharacter(element)) {
    const linear: PatternCost = { factor: 1, degree: 1 }
    if (max === Number.POSITIVE_INFINITY) return { ways: linear, steps: linear }
    return {
      ways: { factor: max - min + 1, degree: 0 },
      steps: { factor: Math.max(1, max), degree: 0 },
    }
  }
  if (max > 1) return undefined
  const tries = triesOf(element)
  // With it, and without.
  return tries && { ways: sum(tries.ways, one), steps: sum(tries.steps, one) }
}

function isOneCharacter({ type }: AST.Element): boolean {
  return type === 'Character' || type === 'CharacterClass' || type === 'CharacterSet'
}

function product(a: PatternCost, b: PatternCost): PatternCost {
  return { factor: a.factor * b.factor, degree: a.degree + b.degree }
}

/** Bounds the sum: a text has at least one place. */
function sum(a: PatternCost, b: PatternCost): PatternCost {
  return { factor: a.factor + b.factor, degree: Math.max(a.degree, b.degree) }
}
