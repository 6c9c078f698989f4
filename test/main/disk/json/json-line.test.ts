import { describe, expect, it } from 'vitest'
import type { AcceptValue } from '../../../../src/main/disk/json/json-accept'
import { decodeJsonLine } from '../../../../src/main/disk/json/json-line'
import { isDeeperThan } from '../../../../src/shared/model/basics/json-depth'

/** Takes every object as its text and where it stood. */
const anything: AcceptValue<readonly string[]> = (value, text, standing) =>
  typeof value === 'object' ? [standing, text] : 'no object'

const decode = (text: string, ended = true) => {
  const bytes = Buffer.from(text)
  return decodeJsonLine({ bytes, offset: 0, length: bytes.length, ended }, anything)
}

describe('decoding a line that holds one JSON value', () => {
  it('gives the format the value and its text, without mark and carriage return in the way', () => {
    expect(decode('\ufeff{"a":1}\r')).toEqual({
      type: 'value',
      value: ['line', '{"a":1}\r'],
      hasBadBytes: false,
    })
    expect(decode('7')).toEqual({
      type: 'damaged',
      reason: 'no object',
      torn: false,
      recovered: [],
    })
  })

  it('tells a whole value beside damage from one that may be a part of what was torn', () => {
    const recovered = (text: string) => {
      const decoded = decode(text)
      return decoded.type === 'damaged' ? decoded.recovered : decoded
    }
    expect(recovered('{"a":1}{"b":2}')).toEqual([
      ['recovered', '{"a":1}'],
      ['recovered', '{"b":2}'],
    ])
    // The file ended inside the record: all that is whole stands inside it.
    expect(recovered('{"a":{"b":1},"c":[{"d":2}')).toEqual([
      ['inside-torn', '{"b":1}'],
      ['inside-torn', '{"d":2}'],
    ])
    // Torn inside a string; what follows is a record of its own.
    expect(recovered('{"a":{"b":1},"c":"to{"d":{"e":3}}')).toEqual([
      ['inside-torn', '{"b":1}'],
      ['recovered', '{"d":{"e":3}}'],
    ])
    // Torn twice, each time behind something whole.
    expect(recovered('{"a":{"b":1},{"c":{"d":2},"e{"f":3}')).toEqual([
      ['inside-torn', '{"b":1}'],
      ['inside-torn', '{"d":2}'],
      ['recovered', '{"f":3}'],
    ])
  })
})

it('measures how deep a value is without going down into it', () => {
  expect([isDeeperThan('x', 0), isDeeperThan([], 0), isDeeperThan([1], 0)]).toEqual([
    false,
    false,
    true,
  ])
  expect([isDeeperThan({ a: [{ b: 1 }] }, 3), isDeeperThan({ a: [{ b: 1 }] }, 2)]).toEqual([
    false,
    true,
  ])
  const abyss = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))
  expect(isDeeperThan(abyss, 500)).toBe(true)
})
