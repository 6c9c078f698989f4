import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  isWellFormed,
  wellFormed,
  wellFormedJson,
} from '../../../../src/shared/model/basics/well-formed'

/** Texts of any UTF-16 units, halves of characters among them. */
const units = fc
  .array(
    fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(0xd83d, 0xde02, 0xd800, 0xdfff, 0x41),
    ),
    { maxLength: 8 },
  )
  .map((codes) => String.fromCharCode(...codes))

it('puts U+FFFD where UTF-8 would, and nowhere else', () => {
  fc.assert(
    fc.property(units, (text) => {
      const asUtf8 = Buffer.from(text, 'utf8').toString('utf8')
      expect(wellFormed(text)).toBe(asUtf8)
      expect(isWellFormed(text)).toBe(text === asUtf8)
    }),
    { numRuns: 1000 },
  )
})

it('writes JSON that reads back as the same, with no half of a character in any key or value', () => {
  fc.assert(
    fc.property(units, units, (key, text) => {
      const json = wellFormedJson({ [key]: [text, { inside: text, at: 1, none: null }] })
      const value = wellFormed(text)
      expect(JSON.parse(json)).toEqual(
        JSON.parse(
          `{${JSON.stringify(wellFormed(key))}:${JSON.stringify([value, { inside: value, at: 1, none: null }])}}`,
        ),
      )
      expect(json).not.toMatch(/(?<!\\)(?:\\\\)*\\ud[89a-f]/)
    }),
    { numRuns: 500 },
  )
})
