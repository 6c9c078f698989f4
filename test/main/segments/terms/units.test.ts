import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hazards } from '../../../../src/main/segments/terms/hazards'
import {
  gramUnit,
  isRandomToken,
  kindMask,
  separator,
  tokenFacts,
  unitKindOf,
  wordUnit,
} from '../../../../src/main/segments/terms/units'
import { fold, isTimelessUnit } from '../../../../src/shared/model/basics/fold'

function isRandom(token: string): boolean {
  const units = Uint16Array.from(token, (char) => char.charCodeAt(0))
  const { bits, digits, turns } = tokenFacts(units, 0, units.length)
  return isRandomToken(units.length, bits, digits, turns)
}

describe('terms', () => {
  it.each([
    ['a', wordUnit],
    ['7', wordUnit],
    ['é', wordUnit],
    ['ж', wordUnit],
    ['\u0301', wordUnit],
    ['日', gramUnit],
    ['か', gramUnit],
    ['한', gramUnit],
    ['ไ', gramUnit],
    ['→', gramUnit],
    ['\ud83c', gramUnit],
    ['_', separator],
    [' ', separator],
    ['\u2028', separator],
  ])('takes %j for kind %i', (char, kind) => {
    expect(unitKindOf(char.charCodeAt(0)) & kindMask).toBe(kind)
  })

  it.each(['serendipity', 'utf8', 'x86', 'uint8array', '120px', '2026', 'http2', 'ipv6', 'facade'])(
    'looks %j up as a word',
    (token) => expect(isRandom(token)).toBe(false),
  )

  it.each(['d62790f', '12345', '4f3a', '9b1c', 'toolu01ab4c9x', 'a1b2c3', 'x'.repeat(41)])(
    'looks %j up by its grams',
    (token) => expect(isRandom(token)).toBe(true),
  )

  it('gives every unit the same kind under every version of Unicode', () => {
    // Made under Unicode 15.0 and 17.0. A digest that differs means that indexes of other versions lie to this one.
    const kinds = Uint8Array.from({ length: 0x10000 }, (_, unit) => unitKindOf(unit))
    expect(createHash('sha256').update(kinds).digest('hex')).toBe(
      '8c4c2c2ce5192b123aa8885b0c33c8861746158d33224fff13a5832b3daf5645',
    )
  })

  it('calls every unit that is not timeless a gram', () => {
    for (let unit = 0; unit < 0x10000; unit++)
      if (!isTimelessUnit(unit)) expect(unitKindOf(unit) & kindMask).toBe(gramUnit)
  })
})

describe('hazards', () => {
  const cjk = /[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]/

  function isHazard(kind: keyof typeof hazards, latin1: string): boolean {
    hazards[kind].lastIndex = 0
    return hazards[kind].test(latin1)
  }

  it('knows every character that folds to ASCII letters or digits, raw and escaped', () => {
    const missed: string[] = []
    for (let point = 0x80; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const char = String.fromCodePoint(point)
      if (!/[a-z0-9]/.test(fold(char))) continue
      if (!isHazard('ascii', Buffer.from(char).toString('latin1'))) missed.push(char)
      const hex = point.toString(16).padStart(4, '0')
      for (const escaped of [`\\u${hex}`, `\\u${hex.toUpperCase()}`])
        if (point < 0x10000 && !isHazard('ascii', escaped)) missed.push(escaped)
    }
    for (const char of 'azAZ09')
      if (!isHazard('ascii', `\\u00${char.charCodeAt(0).toString(16)}`)) missed.push(char)
    expect(missed).toEqual([])
  })

  it('knows every character that folds to a sign or a space, or to a letter, raw and escaped', () => {
    const missed: string[] = []
    for (let point = 0x80; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const char = String.fromCodePoint(point)
      const latin1 = Buffer.from(char).toString('latin1')
      // What is one for letters is one for signs, as a part of the index tells them apart.
      if (isHazard('ascii', latin1) && !isHazard('signs', latin1)) missed.push(char)
      if (!/[\x20-\x7e]/.test(fold(char))) continue
      if (!isHazard('signs', latin1)) missed.push(char)
      const hex = point.toString(16).padStart(4, '0')
      for (const escaped of [`\\u${hex}`, `\\u${hex.toUpperCase()}`])
        if (point < 0x10000 && !isHazard('signs', escaped)) missed.push(escaped)
    }
    for (let code = 0x20; code < 0x7f; code++)
      if (!isHazard('signs', `\\u00${code.toString(16)}`)) missed.push(String(code))
    expect(missed).toEqual([])
    for (let point = 0; point < 0x10000; point++) {
      const escaped = `\\u${point.toString(16).padStart(4, '0')}`
      if (isHazard('ascii', escaped) && !isHazard('signs', escaped)) missed.push(escaped)
    }
    expect(missed).toEqual([])
  })

  it('knows every character that takes ASCII before it away', () => {
    const missed: string[] = []
    for (let point = 0x80; point <= 0xffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const char = String.fromCharCode(point)
      for (const before of ['i', 'z', '=', ' ', "'", '9']) {
        const first = fold(`${before}${char}`).charAt(0)
        const isOther = first !== before && first < '\x80'
        if (isOther && !isHazard('signs', Buffer.from(char).toString('latin1'))) missed.push(char)
      }
    }
    expect(missed).toEqual([])
  })

  it('knows every character that folds to Han, kana or Hangul, or composes it', () => {
    const missed: string[] = []
    for (let point = 0x80; point <= 0x10ffff; point++) {
      if (point >= 0xd800 && point <= 0xdfff) continue
      const char = String.fromCodePoint(point)
      const folded = fold(char)
      if (!cjk.test(folded) || folded === char) continue
      if (!isHazard('cjk', Buffer.from(char).toString('latin1'))) missed.push(char)
    }
    const joining = ['\u3099', '\u309a', '\uff9e', '\uff9f', '\u1161', '\u11a8', '\u1100']
    for (const char of joining)
      if (!isHazard('cjk', Buffer.from(char).toString('latin1'))) missed.push(char)
    for (const escaped of ['\\u65e5', '\\uD55C', '\\u304B', '\\u1100', '\\u2F00'])
      if (!isHazard('cjk', escaped)) missed.push(escaped)
    expect(missed).toEqual([])
  })

  it('lets pass what histories are full of', () => {
    const text =
      'Plain — “text” with é, ü, •, →, ─, ✓, 日本語, 한글, 🎉 and … \\u001b[0m \\u003c \\u2019'
    expect(isHazard('ascii', Buffer.from(text).toString('latin1'))).toBe(false)
    expect(isHazard('cjk', Buffer.from(text).toString('latin1'))).toBe(false)
    const signs =
      'Plain text with é, ü, •, →, ─, ✓, 日本語, 한글, 🎉, жук and \\u001b[0m \\u2028 \\u00fc'
    expect(isHazard('signs', Buffer.from(signs).toString('latin1'))).toBe(false)
  })
})
