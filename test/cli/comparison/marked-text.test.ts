import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  colourStyle,
  markedText,
  markStyleOf,
  signStyle,
} from '../../../src/cli/comparison/marked-text'
import { compareTexts } from '../../../src/shared/model/comparison/text-diff'

const unhurried = Number.POSITIVE_INFINITY
const marked = (before: string, after: string) =>
  markedText(compareTexts(before, after, unhurried).pieces, signStyle)

/** Words, line ends, runs of spaces, and each other sign alone. */
const wordsOf = (text: string) => text.match(/\r?\n|\w+|[^\S\r\n]+|[\s\S]/g) ?? []

/** How many words two texts have in common, in order: the table of every pair of their beginnings. */
function commonWords(a: readonly string[], b: readonly string[]): number {
  let above = new Array<number>(b.length + 1).fill(0)
  for (const word of a) {
    const row = [0]
    b.forEach((other, at) => {
      const best = Math.max(above[at + 1] ?? 0, row[at] ?? 0)
      row.push(word === other ? (above[at] ?? 0) + 1 : best)
    })
    above = row
  }
  return above.at(-1) ?? 0
}

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
  const word = fc.constantFrom(
    ...['bean', 'beans', 'pea', 'sow', 'in', 'May', ' ', ' ', ' ', '  ', '\n', ', ', '.', '?'],
  )
  const text = fc.array(word, { maxLength: 60 }).map((words) => words.join(''))
  const edited = fc.tuple(text, fc.array(fc.tuple(fc.nat(60), word), { maxLength: 6 }))
  const pair = fc.oneof(
    fc.tuple(text, text),
    edited.map(([before, edits]): [string, string] => {
      const words: string[] = [...wordsOf(before)]
      for (const [at, other] of edits) words.splice(at, at % 2, other)
      return [before, words.join('')]
    }),
  )
  fc.assert(
    fc.property(pair, ([before, after]) => {
      const found = takenApart(marked(before, after))
      expect([found.before, found.after]).toEqual([before, after])
      const common = commonWords(wordsOf(before), wordsOf(after))
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
