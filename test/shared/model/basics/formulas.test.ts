import { describe, expect, it } from 'vitest'
import { formulaEnd, formulaSource } from '../../../../src/shared/model/basics/formulas'

describe('a formula', () => {
  it.each([
    '\\(e^{i\\pi} + 1 = 0\\)',
    '\\[ \\sum_i x_i \\\\ a_1 \\]',
    '\\[\na\n= b\n\\]',
    '$$\\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}$$',
    '$x^*(b) = a^*$',
    '$\\$5$',
    '$x$',
    '$ABC$',
    '$f(x, y) = 2 x$',
    '$\\text{a word or two}$',
    '$ABC = DEF_1$',
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
    '$HOME/bin:$PATH',
    '$PATH$HOME',
    '$5k up to 10k$',
    '$word by word$',
  ])('is not what only looks like one: %j', (text) => {
    for (let at = 0; at < text.length; at++)
      if (text[at] === '$' || text[at] === '\\') expect(formulaEnd(text, at)).toBeUndefined()
  })
})

it('comes apart into its TeX and whether it stands alone', () => {
  expect(['$x$', '$$x$$', '\\(x\\)', '\\[x\\]'].map(formulaSource)).toEqual(
    [false, true, false, true].map((isDisplay) => ({ tex: 'x', isDisplay })),
  )
})
