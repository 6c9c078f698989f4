import { describe, expect, it } from 'vitest'
import {
  endOfFirstMatches,
  foldWords,
  matchRanges,
} from '../../../../src/renderer/transcript/items/highlights'

const found = (text: string, ...words: readonly string[]) =>
  matchRanges(text, foldWords(words)).map(([start, end]) => text.slice(start, end))

describe('words that are marked', () => {
  it('are found as search finds them: in any case, in parts of words, in any form of a letter', () => {
    expect(found('The Needle, needles and NEEDLE.', 'needle')).toEqual([
      'Needle',
      'needle',
      'NEEDLE',
    ])
    expect(found('ｎｅｅｄｌｅ', 'needle')).toEqual(['ｎｅｅｄｌｅ'])
    expect(found('the file\u0301', 'FIL')).toEqual(['fil'])
    expect(found('ΟΔΟΣ', 'οδός'.normalize('NFD').replace(/\p{M}/gu, ''))).toEqual(['ΟΔΟΣ'])
  })

  it('that overlap are marked once', () => {
    expect(found('abcd', 'abc', 'bcd')).toEqual(['abcd'])
    expect(found('ab ab', 'ab', 'a')).toEqual(['ab', 'ab'])
  })

  it('that are empty mark nothing', () => {
    expect(found('text', '', ' '.trim())).toEqual([])
  })

  it('tell how far a text has to be shown', () => {
    const text = `${'x'.repeat(1000)}one${'y'.repeat(1000)}two one`
    expect(endOfFirstMatches(text, foldWords(['one']))).toBe(1003)
    expect(endOfFirstMatches(text, foldWords(['one', 'two']))).toBe(2006)
    expect(endOfFirstMatches(text, foldWords(['three']))).toBe(0)
    expect(endOfFirstMatches(text, [])).toBe(0)
  })
})
