import fc from 'fast-check'
import { expect, it } from 'vitest'
import { utf8Length } from '../../../../src/shared/model/statistics/utf8-length'

it('counts the bytes that an encoder writes, also of halves of characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.nat(0xffff)), (text, units) => {
      expect(utf8Length(text)).toBe(Buffer.byteLength(text))
      const halves = String.fromCharCode(...units)
      expect(utf8Length(halves)).toBe(Buffer.byteLength(halves))
    }),
  )
  expect(utf8Length('aß🌍\ud83c')).toBe(1 + 2 + 4 + 3)
})
