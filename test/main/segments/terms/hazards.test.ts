import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../bench/support/random'
import { hazardTable, isHazardAt } from '../../../../src/main/segments/terms/hazard-table'
import { hazards } from '../../../../src/main/segments/terms/hazards'
import { fold } from '../../../../src/shared/model/basics/fold'

const asBytes = (text: string) => Buffer.from(text).toString('latin1')
const asEscapes = (text: string) =>
  [...Array(text.length).keys()]
    .map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')

function isHazard(pattern: RegExp, latin1: string): boolean {
  pattern.lastIndex = 0
  return pattern.test(latin1)
}

/** Every character of the planes that have more than ideographs and private ones, without halves of pairs. */
function* everyCharacter(): Generator<string> {
  for (let code = 0; code <= 0x2ffff; code++)
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code)
}

/** Characters that fold to something of a kind, and that a pattern takes for harmless as bytes or as escapes. */
function missed(pattern: RegExp, kind: RegExp): readonly string[] {
  const found: string[] = []
  for (const char of everyCharacter()) {
    if (!kind.test(fold(char))) continue
    const isPlain = char <= '\x7f'
    if (!isPlain && !isHazard(pattern, asBytes(char))) found.push(char)
    if (!isHazard(pattern, asEscapes(char))) found.push(asEscapes(char))
    if (!isHazard(pattern, asEscapes(char).toUpperCase().replace('\\U', '\\u'))) found.push(char)
  }
  return found
}

describe('hazards', () => {
  it.each([
    ['letters and digits', hazards.ascii, /[a-z0-9]/],
    ['what joins words', hazards.joins, /[a-z0-9_ ]/],
  ])('are all characters that stand for %s, as bytes and as escapes', (_, pattern, kind) => {
    expect(missed(pattern, kind)).toEqual([])
  })

  it('are no quotes, dashes and dots where only words and what joins them is searched', () => {
    const text = '\u2018a\u2019 \u201cb\u201d \u2014 c\u2026 \u2022 d\u00e9 \u2192 \u2500 \u8336'
    expect(isHazard(hazards.signs, asBytes(text))).toBe(true)
    expect(isHazard(hazards.joins, asBytes(text))).toBe(false)
    const escaped = '\\u2019\\u201C\\u2014\\u2026\\u003c\\u0027\\u00e9'
    expect(isHazard(hazards.signs, escaped)).toBe(true)
    expect(isHazard(hazards.joins, escaped)).toBe(false)
    expect(isHazard(hazards.joins, asBytes('a\u00a0b'))).toBe(true)
  })

  it.each(['\\u0008', '\\u0009', '\\u000A', '\\u000c', '\\u000d'])(
    'are the controls that JSON has a letter for, such as %s',
    (coded) => {
      for (const pattern of [hazards.ascii, hazards.joins, hazards.signs])
        expect(isHazard(pattern, `${coded}word`)).toBe(true)
    },
  )
})

const kinds = ['ascii', 'joins', 'signs'] as const

/** Places in bytes where something is a hazard by a table. */
function placesByTable(kind: (typeof kinds)[number], latin1: string): readonly number[] {
  const bytes = Buffer.from(`${latin1}\n    `, 'latin1')
  const table = hazardTable(kind)
  return [...latin1].flatMap((_, at) => (isHazardAt(table, bytes, at) ? [at] : []))
}

describe('a table of hazards', () => {
  it.each([
    ['ascii', /[a-z0-9]/],
    ['joins', /[a-z0-9_ ]/],
  ] as const)('has all characters that stand for what %s are of', (kind, ofKind) => {
    const lost: string[] = []
    for (const char of everyCharacter()) {
      if (char <= '\x7f' || !ofKind.test(fold(char))) continue
      for (const coded of [asBytes(char), asEscapes(char), asEscapes(char).toUpperCase()])
        if (placesByTable(kind, coded.replace('\\U', '\\u')).length === 0) lost.push(coded)
    }
    expect(lost).toEqual([])
  })

  it.each(kinds)('says of every character what the pattern of %s says', (kind) => {
    const wrong: string[] = []
    for (const char of everyCharacter()) {
      for (const coded of [...(char <= '\x7f' ? [] : [asBytes(char)]), asEscapes(char)]) {
        const first = coded.slice(0, coded.startsWith('\\') ? 6 : coded.length)
        if (placesByTable(kind, first).length > 0 !== isHazard(hazards[kind], first))
          wrong.push(first)
      }
    }
    expect(wrong).toEqual([])
  })

  it.each(kinds)('takes no bytes for harmless that the pattern of %s knows as hazards', (kind) => {
    const random = createRandom(77)
    const pieces = [
      '\\u',
      '\\u00',
      '\xef\xbc',
      '\xe2\x84',
      '\xf0\x9f',
      '\xc5',
      '20',
      'a',
      'F',
      '\xbf',
    ]
    for (let n = 0; n < 20_000; n++) {
      const latin1 = Array.from({ length: 1 + random.below(8) }, () =>
        random.below(3) === 0
          ? String.fromCharCode(random.below(256))
          : (pieces[random.below(pieces.length)] ?? ''),
      ).join('')
      const known = new Set(placesByTable(kind, latin1))
      const missing = [...latin1.matchAll(hazards[kind])].filter(({ index }) => !known.has(index))
      expect(missing, JSON.stringify(latin1)).toEqual([])
    }
  })
})
