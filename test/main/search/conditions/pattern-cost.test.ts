import { expect, it } from 'vitest'
import { patternCost, stepsOn } from '../../../../src/main/search/conditions/pattern-cost'

it.each([
  ['return', 1, 1],
  ['return\\s+fals\\w*', 1, 2],
  ['\\bconst[^.]{1,20}plugin\\b', 20, 1],
  ['(?:const|node)_\\w+\\(', 2, 2],
  ['a?b?c', 1, 1],
  ['(?:ab)?c', 2, 1],
  ['(?<![a-z])tea(?![a-z])', 1, 1],
  ['a{3,}', 3, 1],
])('bounds the steps of %j by %i times the length to the power of %i', (source, factor, degree) => {
  expect(patternCost(source)).toEqual({ factor, degree })
})

it.each(['(a+)+$', '(?:a|a)*b', '(?:ab){2,9}', '(a)\\1', '(?:x+x+)+y'])(
  'knows no bound for %j',
  (source) => {
    expect(patternCost(source)).toBeUndefined()
  },
)

it('grows with the length of the text', () => {
  expect(stepsOn({ factor: 3, degree: 2 }, 10)).toBe(300)
})
