import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseRoot } from '../../../../../src/main/readers/cursor/store/root'
import { digestOf, rootBlob } from '../../../../support/cursor-rows'

it('a root is its list of messages, in order, and the folder', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 20 }), (messages) => {
      expect(parseRoot(rootBlob(messages))).toEqual({
        digests: messages.map((message) => digestOf(message)),
        folder: '/home/ann/paths',
      })
    }),
    { seed: 51 },
  )
})

it('fields of other kinds are passed over, and bytes that are no message are no root', () => {
  const digest = Buffer.from(digestOf('a'), 'hex')
  const one = Buffer.concat([Buffer.from([0x0a, 32]), digest])
  // A number, one of 64 bits with its sign, eight bytes, four bytes, a text.
  const others = [
    0x10,
    0x96,
    0x01,
    0x18,
    ...Array(9).fill(0xff),
    0x01,
    0x21,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    0x2d,
    1,
    2,
    3,
    4,
    0x32,
    1,
    0x61,
  ]
  expect(parseRoot(Buffer.concat([one, Buffer.from(others)]))?.digests).toEqual([digestOf('a')])
  for (const bytes of [[], [0x10, 1]])
    expect(parseRoot(Uint8Array.from(bytes))).toEqual({ digests: [], folder: undefined })
  for (const bytes of [
    [0x0a],
    [0x0a, 31, ...digest.subarray(1)],
    [...one, 0x0a, 33],
    [...one, 0x0b],
    [...one, 0x18, 0xff],
    [0x08, 1],
    [0x00, 0x00],
  ])
    expect(parseRoot(Uint8Array.from(bytes))).toBeUndefined()
})

it('any bytes are a root or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const digests = parseRoot(bytes)?.digests ?? ['0'.repeat(64)]
      for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
    }),
    { seed: 51 },
  )
})
