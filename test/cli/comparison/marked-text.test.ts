import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  colourStyle,
  markedText,
  markStyleOf,
  signStyle,
} from '../../../src/cli/comparison/marked-text'
import { compareTexts } from '../../../src/shared/model/comparison/text-diff'
import { pairsOfTexts, wordsInCommon, wordsOf } from '../../support/words-in-common'

const unhurried = Number.POSITIVE_INFINITY
const marked = (before: string, after: string) =>
  markedText(compareTexts(before, after, unhurried).pieces, signStyle)

/** Printed text taken apart again: what each side has, and which words are marked. */
function takenApart(text: string) {
  const parts = [...text.matchAll(/\[-([\s\S]*?)-\]|\{\+([\s\S]*?)\+\}|([^[{]+)/g)]
  const of = (group: number) => parts.map((part) => part[group] ?? '')
  return {
    before: parts.map((part) => part[1] ?? part[3] ?? '').join(''),
    after: parts.map((part) => part[2] ?? part[3] ?? '').join(''),
    removed: of(1).flatMap(wordsOf),
    added: of(2).flatMap(wordsOf),
  }
}

it('marks as few words as an independent comparison, and gives both texts back, on 1,000 random pairs', () => {
  const pairs = pairsOfTexts([
    ...['bean', 'beans', 'pea', 'sow', 'in', 'May', ' ', ' ', ' ', '  ', '\n', ', ', '.', '?'],
  ])
  fc.assert(
    fc.property(pairs, ([before, after]) => {
      const found = takenApart(marked(before, after))
      expect([found.before, found.after]).toEqual([before, after])
      const common = wordsInCommon(before, after)
      expect(found.removed.length).toBe(wordsOf(before).length - common)
      expect(found.added.length).toBe(wordsOf(after).length - common)
    }),
    { numRuns: 1_000 },
  )
})

it('marks by colour at a terminal alone, and never where NO_COLOR or a dumb terminal asks for none', () => {
  const at = (isTerminal: boolean, environment: Record<string, string> = {}) =>
    markStyleOf({ output: { isTerminal }, environment })
  expect(at(true)).toBe(colourStyle)
  expect(at(false)).toBe(signStyle)
  expect(at(true, { NO_COLOR: '1' })).toBe(signStyle)
  expect(at(true, { NO_COLOR: '' })).toBe(colourStyle)
  expect(at(true, { TERM: 'dumb' })).toBe(signStyle)
  const { pieces } = compareTexts('in May', 'in June', unhurried)
  expect(markedText(pieces, signStyle)).toBe('in [-May-]{+June+}')
  expect(markedText(pieces, colourStyle)).toBe(
    'in \u001b[31;9mMay\u001b[39;29m\u001b[32;4mJune\u001b[39;24m',
  )
})

it('shows a line end that changed, and nothing that a terminal would obey', () => {
  expect(marked('a\r\nb', 'a\nb')).toContain('\u240d')
  expect(marked('a \u001b[2J', 'b \u001b[2J')).not.toContain('\u001b')
})

it('counts equal text that is far from a change', () => {
  const far = 'x '.repeat(1_000)
  const text = marked(`${far}old`, `${far}new`)
  expect(text).toMatch(/^… 1760 equal characters …[x ]{240}\[-old-\]\{\+new\+\}$/)
})
