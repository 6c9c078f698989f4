import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  compareTexts as compareTextsWithin,
  type TextChange,
} from '../../../../src/shared/model/comparison/text-diff'

/** Without a look at the clock: a busy machine compares as any other. */
const unhurried = Number.POSITIVE_INFINITY
const compareTexts = (before: string, after: string) => compareTextsWithin(before, after, unhurried)

/** What a change leaves where what came is taken away, or what went. */
function side(change: TextChange, without: 'added' | 'removed'): string {
  return change.pieces
    .filter(({ type }) => type !== without)
    .map(({ text }) => text)
    .join('')
}

describe('two texts', () => {
  it('give one another back by what was removed and what was added', () => {
    const word = fc.oneof(
      fc.constantFrom('seed', 'seeds', ' ', '\n', '\r\n', '.', '種', '🌱', '🌿', '\ud83c', ''),
      fc.string({ unit: 'binary', maxLength: 6 }),
    )
    const text = fc.array(word, { maxLength: 80 }).map((words) => words.join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = compareTexts(before, after)
        expect(side(change, 'added')).toBe(before)
        expect(side(change, 'removed')).toBe(after)
        expect(change.pieces.every((piece) => piece.text !== '')).toBe(true)
        const hurried = compareTextsWithin(before, after, -1)
        expect(side(hurried, 'added')).toBe(before)
        expect(side(hurried, 'removed')).toBe(after)
      }),
      { numRuns: 400 },
    )
  })

  it('show a word that changed whole, and nothing around it', () => {
    expect(compareTexts('Sow the beans in May.', 'Sow the bean in May.').pieces).toEqual([
      { type: 'same', text: 'Sow the ' },
      { type: 'removed', text: 'beans' },
      { type: 'added', text: 'bean' },
      { type: 'same', text: ' in May.' },
    ])
  })

  it('never tear a character of two code units, in a text without spaces', () => {
    const long = '🌱'.repeat(300)
    for (const piece of compareTexts(`${long}🌿${long}`, `${long}🍀${long}`).pieces)
      expect(piece.text).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$/)
  })

  it('are compared by lines where they are long, and stand as replaced where that takes too long', () => {
    const lines = (number: number, of: (line: number) => string) =>
      Array.from({ length: number }, (_, line) => of(line)).join('\n')
    const long = lines(9_000, (line) => `line ${line} of a long file`)
    const change = compareTexts(
      long,
      long.replace('line 3 of', 'row 3 of').replace('line 8000 of', 'row 8000 of'),
    )
    expect(change.by).toBe('lines')
    expect(change.pieces.filter(({ type }) => type !== 'same').map(({ text }) => text)).toEqual([
      'line 3 of a long file\n',
      'row 3 of a long file\n',
      'line 8000 of a long file\n',
      'row 8000 of a long file\n',
    ])
    const words = (from: number) => lines(2_000, (word) => `w${word + from}`)
    // No time at all: as where it would take too long.
    const other = compareTextsWithin(words(0), words(50_000), -1)
    expect(other.by).toBe('whole')
    expect(side(other, 'added')).toBe(words(0))
    expect(side(other, 'removed')).toBe(words(50_000))
  })
})
