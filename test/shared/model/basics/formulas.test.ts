import { describe, expect, it, vi } from 'vitest'
import {
  createFormulaFinder,
  formulaEnd,
  formulaSource,
} from '../../../../src/shared/model/basics/formulas'

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

describe('a parser that asks at each sign', () => {
  /** Asks as a parser does: on from where a formula ends. */
  function endsIn(src: string): readonly number[] {
    const endOf = createFormulaFinder()
    const state = { src, pos: 0 }
    const ends: number[] = []
    while (state.pos < src.length) {
      const end = endOf(state)
      if (end !== undefined) ends.push(end)
      state.pos = end ?? state.pos + 1
    }
    return ends
  }

  it.each([
    ['\\(a', 13_000],
    ['x\\[a', 9_900],
    ['$$a\\(', 1],
  ])('looks once for what closes %j, which nothing does', (text, times) => {
    const search = vi.spyOn(String.prototype, 'indexOf')
    try {
      expect(endsIn(text.repeat(times))).toEqual([])
      expect(search.mock.calls.length).toBeLessThanOrEqual(3)
    } finally {
      search.mockRestore()
    }
  })

  it('looks once for the code or the empty line before the closing sign', () => {
    const search = vi.spyOn(RegExp.prototype, 'exec')
    try {
      expect(endsIn(`${'\\(a'.repeat(3_000)}\`\\)`)).toEqual([])
      expect(search.mock.calls.length).toBeLessThanOrEqual(3)
    } finally {
      search.mockRestore()
    }
  })

  it('finds what is found at each place alone, also going back', () => {
    const text = 'a \\(x\\) \\[y \\(z\\] $$q$$ \\(`\\) \\(w\\) \\[\n\n\\] $$r$$ \\(v'
    const endOf = createFormulaFinder()
    const state = { src: text, pos: 0 }
    const places = Array.from({ length: text.length }, (_, at) => at)
    for (const at of [...places, ...places.toReversed()]) {
      state.pos = at
      expect([at, endOf(state)]).toEqual([at, formulaEnd(text, at)])
    }
    expect(endsIn(text).map((end) => text.slice(0, end).slice(-3))).toEqual([
      'x\\)',
      'z\\]',
      'q$$',
      'w\\)',
      'r$$',
    ])
  })

  it('reads long runs of letters in one pass', () => {
    // As many steps as the square of their length would never come to an end.
    const letters = `$${'a'.repeat(9_980)}$`
    expect(endsIn(`${letters} `.repeat(2_000))).toHaveLength(2_000)
  })
})
