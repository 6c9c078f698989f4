import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { snippetParts } from '../../../../src/renderer/ui/text/snippet-parts'

const shown = (...args: Parameters<typeof snippetParts>) =>
  snippetParts(...args)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('')

describe('a snippet', () => {
  it('is whole when its mark is seen anyhow', () => {
    expect(
      shown(
        'a clock change in UTC',
        [
          [2, 14],
          [18, 21],
        ],
        40,
      ),
    ).toBe('a [clock change] in [UTC]')
  })

  it('is cut in front of a mark that stands far behind, at a word', () => {
    const text = `${'one two three four five six seven '.repeat(2)}needle behind`
    const at = text.indexOf('needle')
    expect(shown(text, [[at, at + 6]], 20)).toBe('…four five six seven [needle] behind')
  })

  it('is cut where there is no word, and counts wide characters twice', () => {
    expect(shown(`${'字'.repeat(50)}needle`, [[50, 56]], 10)).toBe(`…${'字'.repeat(5)}[needle]`)
    expect(shown(`${'x'.repeat(50)}needle`, [[50, 56]], 10)).toBe(`…${'x'.repeat(10)}[needle]`)
  })

  it('without marks is shown from its beginning', () => {
    expect(shown('x'.repeat(300), [], 10)).toBe('x'.repeat(300))
  })

  it('never loses a mark or what stands behind it, nor splits a pair', () => {
    const character = fc.constantFrom('a', ' ', '字', '😀', '\n', '<b>')
    fc.assert(
      fc.property(
        fc.array(character, { maxLength: 60 }),
        fc.array(character, { minLength: 1, maxLength: 5 }),
        fc.array(character, { maxLength: 20 }),
        fc.integer({ min: 1, max: 30 }),
        (before, mark, after, units) => {
          const [first, marked, last] = [before.join(''), mark.join(''), after.join('')]
          const parts = snippetParts(
            first + marked + last,
            [[first.length, first.length + marked.length]],
            units,
          )
          const at = parts.findIndex(({ isMarked }) => isMarked)
          expect(parts[at]?.text).toBe(marked)
          expect(
            parts
              .slice(at + 1)
              .map(({ text }) => text)
              .join(''),
          ).toBe(last)
          const front = parts
            .slice(0, at)
            .map(({ text }) => text)
            .join('')
          expect(first.endsWith(front.replace(/^…/, ''))).toBe(true)
          expect(front.isWellFormed?.() ?? true).toBe(true)
        },
      ),
    )
  })

  it('with ranges that lie outside of it shows its text all the same', () => {
    expect(shown('short', [[3, 99]], 10)).toBe('short')
  })
})
