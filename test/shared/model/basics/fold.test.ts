import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fold, foldWithRanges, isTimeless } from '../../../../src/shared/model/basics/fold'
import { foldPlainly } from '../../../support/plain-fold'

const anyText = fc.string({ unit: 'binary', maxLength: 12 })

describe('fold', () => {
  it.each([
    ['Straße', 'straße'],
    ['ΟΔΥΣΣΕΥΣ ς', 'οδυσσευσ σ'],
    ['İstanbul', 'istanbul'],
    ['Işık i\u0307zmir', 'işik izmir'],
    [
      'follow\u2011up \u2013 \u2014 don\u2019t \u201cso\u201d «so»',
      'follow-up - - don\'t "so" "so"',
    ],
    ['ﬁne Ａ１ ™ ² K', 'fine a1 tm 2 k'],
    ['e\u0301', 'é'],
    ['ｶﾞ', 'ガ'],
    ['\u1112\u1161\u11ab', '한'],
    ['a\ud800b', 'a\ufffdb'],
    ['𝓢kein', 'skein'],
  ])('turns %j into %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  it('agrees with its definition, written down code point by code point', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(text)).toBe(foldPlainly(text))
      }),
      { numRuns: 5000, seed: 1 },
    )
  })

  it('leaves what is folded as it is', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      { seed: 2 },
    )
  })

  it('is the same under every version of Unicode for timeless texts', () => {
    // The digest was made under Unicode 15.0 and under 17.0: one that differs means that indexes of an older
    // engine must not be trusted by this one.
    const hash = createHash('sha256')
    let count = 0
    for (let point = 0; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const char = String.fromCodePoint(point)
      if (!isTimeless(char)) continue
      count++
      hash.update(`${fold(char)}\n`)
    }
    expect([count, hash.digest('hex')]).toEqual([
      54_155,
      'e1883a2adbeddd91b8998bc9a9550b5613336c4a9a9172e00d224490307a25bb',
    ])
  })
})

describe('foldWithRanges', () => {
  it.each([
    ['a ﬁne day', 'ne', [3, 5]],
    ['a ﬁne day', 'in', [2, 4]],
    ['İzmir', 'zmir', [1, 5]],
    ['cafe\u0301 noir', 'fé n', [2, 7]],
    ['x 🎉🎉 y', '🎉', [2, 4]],
    ['ABC', 'b', [1, 2]],
  ])('finds in %j what folds to %j', (text, part, range) => {
    const { folded, rangeOf } = foldWithRanges(text)
    const at = folded.indexOf(part)
    expect(rangeOf(at, at + part.length)).toEqual(range)
  })

  it('gives ranges whose text folds to something that holds what was asked for', () => {
    fc.assert(
      fc.property(anyText, fc.nat(), fc.nat(), (text, a, b) => {
        const { folded, rangeOf } = foldWithRanges(text)
        const from = folded.length === 0 ? 0 : a % folded.length
        const to = Math.min(folded.length, from + 1 + (b % 4))
        const [start, end] = rangeOf(from, to)
        expect(fold(text.slice(start, end))).toContain(folded.slice(from, to))
      }),
      { numRuns: 5000, seed: 1 },
    )
  })

  it('maps a long text of every kind without gaps', () => {
    const text = 'Plain ASCII, ÄÖÜ, ﬁ, e\u0301, 日本語ガ, 한글, 🎉, \ud800 end.'.repeat(50)
    const { folded, rangeOf } = foldWithRanges(text)
    expect(rangeOf(0, folded.length)).toEqual([0, text.length])
    let last = 0
    for (let unit = 0; unit < folded.length; unit++) {
      const [start, end] = rangeOf(unit, unit + 1)
      expect(start >= last && end > start).toBe(true)
      last = start
    }
  })
})
