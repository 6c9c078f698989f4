import { type AST, RegExpParser } from '@eslint-community/regexpp'
import { fold } from '../../../shared/model/basics/fold'
import type { Condition } from './condition'

/**
 * Finds what a text has wherever a pattern matches: texts that stand in the pattern as they are, as a condition of words. So
 * segments and lines without them need not be read. Undefined where the pattern has none.
 *
 * @param source compiles, see `compiledRegex`
 */
export function regexNeeds(source: string): Condition | undefined {
  return needOfAlternatives(parsed(source).alternatives)
}

function parsed(source: string): AST.Pattern {
  const parser = new RegExpParser()
  try {
    return parser.parsePattern(source, 0, source.length, { unicode: true })
  } catch {
    return parser.parsePattern(source, 0, source.length, { unicode: false })
  }
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

/** The runs of plain characters in a sequence of a pattern. */
class Literals {
  private readonly parts: Condition[] = []
  private run = ''

  read(elements: readonly AST.Element[]): this {
    for (const element of elements) this.take(element)
    return this
  }

  finish(): readonly Condition[] {
    this.endRun()
    return this.parts
  }

  private take(element: AST.Element): void {
    switch (element.type) {
      case 'Character':
        // Others may be written in several ways that fold to one.
        if (element.value >= 0x20 && element.value < 0x7f)
          this.run += String.fromCharCode(element.value)
        else this.endRun()
        return
      case 'Assertion':
        // It takes no place.
        return
      case 'Group':
      case 'CapturingGroup':
        this.takeAlternatives(element.alternatives)
        return
      case 'Quantifier':
        this.endRun()
        if (element.min === 0) return
        this.take(element.element)
        this.endRun()
        return
      default:
        this.endRun()
    }
  }

  private takeAlternatives(alternatives: readonly AST.Alternative[]): void {
    const [only] = alternatives
    if (alternatives.length === 1 && only !== undefined) {
      this.read(only.elements)
      return
    }
    this.endRun()
    const need = needOfAlternatives(alternatives)
    if (need !== undefined) this.parts.push(need)
  }

  private endRun(): void {
    // The last character may be one with an accent that follows it by itself, and folds with it to another.
    const folded = fold(this.run.slice(0, -1))
    if (folded !== '') this.parts.push({ type: 'word', folded })
    this.run = ''
  }
}
