import { describe, expect, it } from 'vitest'
import {
  comparedText,
  countLiteral,
  literalRanges,
} from '../../../../src/shared/model/find/literal'

const plain = { matchesCase: false, wantsWholeWords: false }

function found(text: string, word: string, more: Partial<typeof plain> = {}) {
  const wanted = { ...plain, ...more, text: word }
  const ranges = literalRanges(text, wanted)
  expect(countLiteral(comparedText(text, wanted), wanted)).toBe(ranges.length)
  return ranges.map(([start, end]) => text.slice(start, end))
}

describe('a literal', () => {
  it('is found as search folds: any case, any composition, typographic signs as they are typed', () => {
    expect(found('Straße STRASSE straße', 'straße')).toEqual(['Straße', 'straße'])
    expect(found('Cafe\u0301 CAFÉ', 'café')).toEqual(['Cafe\u0301', 'CAFÉ'])
    expect(found('“quoted” don’t', '"quoted" don\'t')).toEqual(['“quoted” don’t'])
    expect(found('ﬁle', 'file')).toEqual(['ﬁle'])
    expect(found('İstanbul', 'istanbul')).toEqual(['İstanbul'])
  })

  it('is found as it is written where case matters', () => {
    expect(found('Tide tide TIDE', 'tide', { matchesCase: true })).toEqual(['tide'])
    expect(found('a\ud800b', '\ud800', { matchesCase: true })).toEqual(['\ud800'])
  })

  it('ends and begins where words do, where whole words are wanted', () => {
    const whole = { wantsWholeWords: true }
    expect(found('tide, tides, tide_mark, (tide)', 'tide', whole)).toEqual(['tide', 'tide'])
    expect(found('𝒜tide tide𝒜 𝒜 tide', 'tide', whole)).toEqual(['tide'])
    expect(found('aaa aa', 'aa', whole)).toEqual(['aa'])
  })

  it('never overlaps itself, and signs of patterns are signs', () => {
    expect(found('aaaa', 'aa')).toEqual(['aa', 'aa'])
    expect(found('a.b a+b (a)', 'a.b')).toEqual(['a.b'])
    expect(found('x  y', '  ')).toEqual(['  '])
    expect(found('anything', '')).toEqual([])
  })
})
