import type { AST } from '@eslint-community/regexpp'
import { fold } from '../../../shared/model/basics/fold'
import { pushAll } from '../../../shared/model/basics/long-lists'
import type { Condition } from './condition'
import { parsedRegex } from './regex-tree'

/**
 * Finds what a text has wherever a pattern matches: texts that stand in the pattern as they are, as a condition of words. So
 * segments and lines without them need not be read. Undefined where the pattern has none.
 *
 * @param source compiles, see `compiledRegex`
 */
export function regexNeeds(source: string): Condition | undefined {
  return needOfAlternatives(parsedRegex(source).alternatives)
}

function needOfAlternatives(alternatives: readonly AST.Alternative[]): Condition | undefined {
  const needs = alternatives.map(({ elements }) => allOf(new Literals().read(elements).finish()))
  const known = needs.filter((need) => need !== undefined)
  // One that needs nothing may match anywhere.
  if (known.length < needs.length) return undefined
  return known.length === 1 ? known[0] : { type: 'any', of: known }
}

function allOf(parts: readonly Condition[]): Condition | undefined {
  return parts.length < 2 ? parts[0] : { type: 'all', of: parts }
}

/** Texts that one run of plain characters can be, where a part of it is one of some. */
const mostOfRun = 8

/** The runs of plain characters in a sequence of a pattern. */
class Literals {
  private readonly parts: Condition[] = []
  /** What the run is so far: one of these. */
  private runs: readonly string[] = ['']

  read(elements: readonly AST.Element[]): this {
    for (const [at, element] of elements.entries()) {
      this.take(element)
      if (keepsApart(elements[at + 1])) this.endRun(true)
    }
    return this
  }

  finish(): readonly Condition[] {
    this.endRun(false)
    return this.parts
  }

  private take(element: AST.Element): void {
    const plain = plainTexts(element)
    if (plain !== undefined && plain.length * this.runs.length <= mostOfRun) {
      this.runs = this.runs.flatMap((run) => plain.map((text) => run + text))
      return
    }
    switch (element.type) {
      case 'Assertion':
        // It takes no place.
        return
      case 'Group':
      case 'CapturingGroup':
        this.takeAlternatives(element.alternatives)
        return
      case 'Quantifier':
        this.endRun(false)
        if (element.min === 0) return
        this.take(element.element)
        this.endRun(false)
        return
      default:
        this.endRun(false)
    }
  }

  private takeAlternatives(alternatives: readonly AST.Alternative[]): void {
    const [only] = alternatives
    if (alternatives.length === 1 && only !== undefined) {
      this.read(only.elements)
      return
    }
    this.endRun(false)
    const need = needOfAlternatives(alternatives)
    if (need !== undefined) this.parts.push(need)
  }

  /** @param isApart no accent follows the run */
  private endRun(isApart: boolean): void {
    // The last letter may be one with an accent that follows it by itself, and folds with it to another.
    const known = this.runs.map((run) => fold(isApart ? run : run.replace(joining, '')))
    this.runs = ['']
    if (known.includes('')) return
    const of = [...new Set(known)].map((folded): Condition => ({ type: 'word', folded }))
    const [only] = of
    if (of.length === 1 && only !== undefined) this.parts.push(only)
    else this.parts.push({ type: 'any', of })
  }
}

/** The last character of a run, where an accent that follows makes another of both. */
const joining = /[a-z<=>]$/i

/** Returns the texts that an element is one of, where it is nothing but characters that fold in one way; undefined for others. */
function plainTexts(element: AST.Element): readonly string[] | undefined {
  if (element.type === 'Character') {
    // Others may be written in several ways that fold to one.
    return element.value >= 0x20 && element.value < 0x7f
      ? [String.fromCharCode(element.value)]
      : undefined
  }
  if (element.type !== 'Group' && element.type !== 'CapturingGroup') return undefined
  const texts: string[] = []
  for (const { elements } of element.alternatives) {
    let own: readonly string[] = ['']
    for (const part of elements) {
      const plain = plainTexts(part)
      if (plain === undefined || plain.length * own.length > mostOfRun) return undefined
      own = own.flatMap((text) => plain.map((more) => text + more))
    }
    pushAll(texts, own)
  }
  return texts
}

/** Returns true for what a text has behind a run where that is certainly no accent: white space, a digit, or a letter of words. */
function keepsApart(element: AST.Element | undefined): boolean {
  if (element?.type === 'Quantifier') return element.min > 0 && keepsApart(element.element)
  return element?.type === 'CharacterSet' && element.kind !== 'any' && !isNegated(element)
    ? element.kind !== 'property'
    : element?.type === 'Assertion' && element.kind === 'end'
}

function isNegated(set: AST.CharacterSet): boolean {
  return 'negate' in set && set.negate
}
