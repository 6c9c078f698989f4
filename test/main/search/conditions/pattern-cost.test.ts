import fc from 'fast-check'
import { expect, it } from 'vitest'
import { patternCost, stepsOn } from '../../../../src/main/search/conditions/pattern-cost'
import { trialsOf } from '../../../support/drawn-alike'

it.each([
  ['return', 7, 1],
  ['return\\s+fals\\w*', 14, 2],
  ['a?b?c', 8, 1],
  ['a{0,3}b', 8, 1],
  ['a{2,3}b', 6, 1],
  ['(?:ab)?c', 7, 1],
  ['(?<![a-z])tea(?![a-z])', 10, 1],
  ['a{3,}', 6, 1],
  ['(?=a*)a*b', 6, 2],
])('bounds the steps of %j by %i times the places to the power of %i', (source, factor, degree) => {
  expect(patternCost(source)).toEqual({ factor, degree })
})

it('multiplies the ways of optional characters, and counts each character of a run', () => {
  expect(patternCost(`${'[ab]?'.repeat(22)}c`)?.factor).toBeGreaterThanOrEqual(2 ** 22)
  expect(patternCost(`${'[ab]'.repeat(300)}c`)?.factor).toBeGreaterThanOrEqual(301)
  expect(patternCost('a?'.repeat(3000))?.factor).toBe(Number.POSITIVE_INFINITY)
})

it.each(['(a+)+$', '(?:a|a)*b', '(?:ab){2,9}', '(a)\\1', '(?:x+x+)+y'])(
  'knows no bound for %j',
  (source) => {
    expect(patternCost(source)).toBeUndefined()
  },
)

it('grows with the length of the text', () => {
  expect(stepsOn({ factor: 3, degree: 2 }, 10)).toBe(363)
})

/** A part of a small pattern. */
type Part =
  | { readonly type: 'one'; readonly source: string }
  | { readonly type: 'border' }
  | { readonly type: 'group'; readonly of: readonly (readonly Part[])[] }
  | { readonly type: 'ahead'; readonly isNot: boolean; readonly of: readonly Part[] }
  | {
      readonly type: 'repeated'
      readonly of: Part
      readonly min: number
      readonly max: number
      readonly isLazy: boolean
    }

function written(part: Part): string {
  switch (part.type) {
    case 'one':
      return part.source
    case 'border':
      return '\\b'
    case 'group':
      return `(?:${part.of.map((parts) => parts.map(written).join('')).join('|')})`
    case 'ahead':
      return `(?${part.isNot ? '!' : '='}${part.of.map(written).join('')})`
    case 'repeated':
      return `${written(part.of)}{${part.min},${part.max === Infinity ? '' : part.max}}${part.isLazy ? '?' : ''}`
  }
}

type Next = (at: number) => number | undefined

/** A matcher that tries one way after the other, and counts what it looks at. */
class NaiveMatcher {
  steps = 0
  private readonly text: string

  constructor(text: string) {
    this.text = text
  }

  places(of: readonly (readonly Part[])[]): [number, number][] {
    const places: [number, number][] = []
    for (let from = 0; from <= this.text.length; ) {
      const to = this.either(of, from, (at) => at)
      if (to !== undefined) places.push([from, to])
      from = to === undefined || to === from ? from + 1 : to
    }
    return places
  }

  private either(of: readonly (readonly Part[])[], at: number, next: Next): number | undefined {
    for (const parts of of) {
      this.steps += 1
      const end = this.sequence(parts, at, next)
      if (end !== undefined) return end
    }
    return undefined
  }

  private sequence(parts: readonly Part[], at: number, next: Next): number | undefined {
    const [first, ...rest] = parts
    return first === undefined
      ? next(at)
      : this.part(first, at, (then) => this.sequence(rest, then, next))
  }

  private part(part: Part, at: number, next: Next): number | undefined {
    switch (part.type) {
      case 'one': {
        this.steps += 1
        const unit = this.text[at]
        return unit !== undefined && new RegExp(part.source).test(unit) ? next(at + 1) : undefined
      }
      case 'border':
        this.steps += 1
        return /\w/.test(this.text[at - 1] ?? '') === /\w/.test(this.text[at] ?? '')
          ? undefined
          : next(at)
      case 'group':
        return this.either(part.of, at, next)
      case 'ahead': {
        this.steps += 1
        const holds = this.sequence(part.of, at, (end) => end) !== undefined
        return holds === part.isNot ? undefined : next(at)
      }
      case 'repeated':
        return this.repeated(part, 0, at, next)
    }
  }

  private repeated(
    part: Extract<Part, { type: 'repeated' }>,
    done: number,
    at: number,
    next: Next,
  ): number | undefined {
    const more = () =>
      done === part.max
        ? undefined
        : this.part(part.of, at, (then) =>
            then === at && done >= part.min ? undefined : this.repeated(part, done + 1, then, next),
          )
    if (done < part.min) return more()
    return part.isLazy ? (next(at) ?? more()) : (more() ?? next(at))
  }
}

const ones = fc
  .constantFrom('a', 'b', '[ab]', '[^a]', '.')
  .map((source): Part => ({ type: 'one', source }))

const { parts } = fc.letrec<{ part: Part; parts: Part[] }>((tie) => ({
  parts: fc.array(tie('part'), { maxLength: 5 }),
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    ones,
    fc.constant<Part>({ type: 'border' }),
    fc
      .tuple(ones, fc.nat(2), fc.constantFrom(0, 1, 3, Infinity), fc.boolean())
      .map(([of, min, more, isLazy]): Part => {
        return { type: 'repeated', of, min, max: min + more, isLazy }
      }),
    fc
      .tuple(fc.array(tie('parts'), { minLength: 1, maxLength: 3 }), fc.boolean(), fc.boolean())
      .map(([of, isOptional, isLazy]): Part => {
        const group: Part = { type: 'group', of }
        return isOptional ? { type: 'repeated', of: group, min: 0, max: 1, isLazy } : group
      }),
    fc.tuple(tie('parts'), fc.boolean()).map(([of, isNot]): Part => ({ type: 'ahead', isNot, of })),
  ),
}))

it('bounds the steps of a matcher that tries every way, for any small pattern and text', () => {
  const patterns = fc.array(parts, { minLength: 1, maxLength: 2 })
  const texts = fc.string({ unit: fc.constantFrom('a', 'a', 'b', '-'), maxLength: 10 })
  fc.assert(
    fc.property(patterns, texts, (of, text) => {
      const source = of.map((some) => some.map(written).join('')).join('|')
      const cost = patternCost(source)
      // What takes long here is bounded by a large number, or by none.
      if (cost === undefined || stepsOn(cost, text.length) > 1e6) return
      const matcher = new NaiveMatcher(text)
      const places = matcher.places(of)
      const found = [...text.matchAll(new RegExp(source, 'gmu'))]
      expect(places).toEqual(found.map(({ 0: match, index }) => [index, index + match.length]))
      expect(matcher.steps).toBeLessThanOrEqual(stepsOn(cost, text.length))
    }),
    { numRuns: trialsOf(1000) },
  )
})

it('bounds the steps where a text has every way of a pattern tried, and none matches', () => {
  const optional = fc
    .tuple(fc.constantFrom('a', '[ab]', '.'), fc.nat(1), fc.nat(2), fc.boolean(), fc.boolean())
    .map(([source, min, more, isLazy, isGroup]): Part => {
      const of: Part = { type: 'one', source }
      return isGroup
        ? { type: 'repeated', of: { type: 'group', of: [[of]] }, min: 0, max: 1, isLazy }
        : { type: 'repeated', of, min, max: min + more, isLazy }
    })
  const last: Part = { type: 'one', source: 'c' }
  fc.assert(
    fc.property(fc.array(optional, { minLength: 3, maxLength: 6 }), (parts) => {
      const cost = patternCost([...parts, last].map(written).join(''))
      const text = 'a'.repeat(24)
      const matcher = new NaiveMatcher(text)
      expect(matcher.places([[...parts, last]])).toEqual([])
      expect(matcher.steps).toBeLessThanOrEqual(cost ? stepsOn(cost, text.length) : 0)
    }),
    { numRuns: trialsOf(50) },
  )
})
