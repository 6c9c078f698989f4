import { describe, expect, it } from 'vitest'
import { formulaEnd } from '../../../../src/shared/model/basics/formulas'

describe('a formula', () => {
  it.each([
    '\\(e^{i\\pi} + 1 = 0\\)',
    '\\[ \\sum_i x_i \\\\ a_1 \\]',
    '\\[\na\n= b\n\\]',
    '$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$',
    '$x^*(b) = a^*$',
    '$\\$5$',
    '$x$',
  ])('ends with its own sign: %j', (formula) => {
    expect(formulaEnd(`${formula} and $y$`, 0)).toBe(formula.length)
  })

  it.each([
    '$5 and $10',
    '$5/$10',
    'US$ 5 $',
    '$ x $',
    '$x',
    '$$',
    '$$$$',
    '\\(',
    '\\( \\)',
    '\\[one\n\ntwo\\]',
    '$a `$` b$',
    '\\(`\\)`',
    '$a\n\nb$',
  ])('is not what only looks like one: %j', (text) => {
    for (let at = 0; at < text.length; at++)
      if (text[at] === '$' || text[at] === '\\') expect(formulaEnd(text, at)).toBeUndefined()
  })
})
