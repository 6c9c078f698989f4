import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AcceptValue } from '../../../../src/main/disk/json/json-accept'
import { buildValue } from '../../../../src/main/disk/json/json-build'
import { decodeJsonLine, decodeJsonLineInSlices } from '../../../../src/main/disk/json/json-line'
import { scanValue } from '../../../../src/main/disk/json/json-scan'
import { runAtOnce, sliceBytes } from '../../../../src/main/disk/pacing/slices'
import { plainlyDecoded } from '../../../support/plain-recovery'

/** Takes every object, as its text and where it stood. */
const anything: AcceptValue<readonly string[]> = (value, text, standing) =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? [standing, text, JSON.stringify(value)]
    : 'no object'

const lineOf = (bytes: Buffer, ended = true) => ({ bytes, offset: 0, length: bytes.length, ended })

/** Pieces of JSON of which any follow each other: records torn, glued and inside of each other's texts. */
const torn = fc
  .array(
    fc.oneof(
      {
        weight: 6,
        arbitrary: fc.constantFrom('{', '}', '[', ']', '"', ':', ',', '\\', '":', ',"'),
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom('{"a":', '{"{":', '"b"', '{"":{', '":"', '","', '{}'),
      },
      {
        weight: 2,
        arbitrary: fc.constantFrom(' ', '\t', '0', '-1.5e3', '01', 'true', 'nul', '\\u00'),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom('\u0001', '\ufeff', 'ü', '😀', '\u00a0', '\0', '\r'),
      },
      { weight: 2, arbitrary: fc.json({ maxDepth: 3 }) },
    ),
    { maxLength: 40 },
  )
  .map((pieces) => pieces.join(''))

const bytesOfTorn = fc.oneof(
  torn.map((text) => Buffer.from(text)),
  fc
    .tuple(torn, fc.nat(200), fc.constantFrom(0x80, 0xc3, 0xff, 0, 0x22))
    .map(([text, at, byte]) => {
      const bytes = Buffer.from(text)
      if (bytes.length > 0) bytes[at % bytes.length] = byte
      return bytes
    }),
)

describe('what is recovered of a broken line', () => {
  it('is what trying every brace to its end finds', () => {
    fc.assert(
      fc.property(bytesOfTorn, fc.boolean(), (bytes, ended) => {
        const plain = plainlyDecoded(bytes, ended, anything)
        expect(decodeJsonLine(lineOf(bytes, ended), anything)).toEqual(plain)
      }),
      { numRuns: 2000 },
    )
  })

  it('is the same in slices of any size', () => {
    fc.assert(
      fc.property(bytesOfTorn, fc.integer({ min: 1, max: 9 }), (bytes, slice) => {
        expect(runAtOnce(scanValue(bytes, 0, undefined, slice))).toEqual(
          runAtOnce(scanValue(bytes, 0)),
        )
      }),
      { numRuns: 600 },
    )
  })

  it('is found where texts and what is between them may change places, in whichever order they are read', () => {
    for (const text of [
      '{"{":":",",":":",",":":"',
      '{"{":":",",":":",",":":"}{"a":1}',
      '{"a":{"b":1},"{":":",",":{"c":2},"}":3}{"d":4}',
      '{"\\{":1,"{"a":1}',
    ])
      expect(decodeJsonLine(lineOf(Buffer.from(text)), anything)).toEqual(
        plainlyDecoded(Buffer.from(text), true, anything),
      )
  })
})

describe('a value that is put together in slices', () => {
  const spaced = fc
    .tuple(fc.json({ maxDepth: 5 }), fc.constantFrom('', ' ', '\n\t'))
    .map(([json, blank]) => json.replaceAll(/(?<=^[^"]*)([,:[\]{}])/g, `${blank}$1${blank}`))
  const odd = fc.constantFrom(
    '{"__proto__":{"a":1},"b":[{"__proto__":2}]}',
    '{"a":1,"a":{"b":2},"a":[3]}',
    '{"2":1,"1":{"x":[[],{}]},"":""}',
    '["\\ud83d\\ude00","\\\\\\\\\\"","\\u0041\\n\\\\u0041","ü😀"]',
    '"\\\\\\\\\\\\\\\\\\\\\\\\\\"\\\\"',
    '[[[[[[1]]]],[]],{"a":{"b":{"c":"ddddddddddddd"}}}]',
    ' -0 ',
    '[-0,1e400,1.0,0.1e-7]',
  )

  it('is what JSON.parse makes of it, whatever the size of the pieces', () => {
    fc.assert(
      fc.property(fc.oneof(spaced, odd), fc.integer({ min: 8, max: 40 }), (json, piece) => {
        const bytes = Buffer.from(json)
        const end = runAtOnce(scanValue(bytes, 0))
        if (end.type !== 'value') throw new Error(`no value: ${json}`)
        const value = runAtOnce(buildValue(bytes, 0, end.end, piece))
        expect(value).toStrictEqual(JSON.parse(json))
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(json)))
      }),
      { numRuns: 600 },
    )
  })

  it('is no value with an escape that JSON has not', () => {
    for (const json of ['["aaaaaaaaaaaaaaaaa\\x"]', '{"\\u00zz":1}', '["\\u12"]'])
      expect(() => runAtOnce(buildValue(Buffer.from(json), 0, json.length, 8))).toThrow(SyntaxError)
  })
})

describe('a line of megabytes', () => {
  const byItsNames: AcceptValue<readonly string[]> = (value, text) => [
    ...Object.keys(value as object), // all that the lines hold
    `${text.length}`,
  ]
  const megabytes = (n: number, text: string) =>
    Buffer.from(text.repeat((n * 2 ** 20) / text.length))
  const record = `{"id":"a","content":"${'words '.repeat(20)}","metadata":{"n":[1,2,{"b":null}]}}`

  const behind = (head: string, body: Buffer, tail = '') =>
    Buffer.concat([Buffer.from(head), body, Buffer.from(tail)])

  it.each([
    ['of braces', megabytes(2, '{')],
    ['of records that are torn inside of each other', megabytes(2, '{"a":')],
    ['of records glued together', megabytes(1, record)],
    ['of records glued behind a torn one', behind('{"a":[', megabytes(1, `${record},`))],
    ['of texts that trade places with what is between', behind('{"{":', megabytes(2, '":",",":'))],
    ['of a text without an end', behind('{"a":"', megabytes(2, '{\\"'))],
    ['of texts with a byte that none can have', megabytes(2, '{"a\u0001{')],
    ['of zeros', Buffer.alloc(2 * 2 ** 20)],
    ['of blanks', megabytes(2, ' ')],
    ['of digits', megabytes(2, '1')],
    ['of one long text', behind('{"a":"', megabytes(2, 'ü'), '"}')],
    ['of one long text with escapes', behind('{"a":"', megabytes(2, '\\n'), '"}')],
    ['of many small values', behind('{"a":[', megabytes(0.5, '0,'), '0]}')],
    ['of too many values', behind('{"a":[', megabytes(2, '0,'), '0]}')],
    [
      'of deep values',
      behind(
        '{"a":',
        behind('', megabytes(0.04, '['), `${']'.repeat(0.04 * 2 ** 20)},"b":[`),
        `${'0,'.repeat(2 ** 18)}0]}`,
      ),
    ],
  ])('%s is gone through in slices, in proportion to its length', async (_, bytes) => {
    const slices: number[] = []
    const found = await decodeJsonLineInSlices(lineOf(bytes), byItsNames, async (passed) => {
      slices.push(passed)
    })
    const passed = slices.reduce((sum, one) => sum + one, 0)
    expect(Math.max(...slices)).toBeLessThanOrEqual(3 * sliceBytes)
    expect(passed).toBeGreaterThan(bytes.length / 2)
    expect(passed).toBeLessThan(20 * bytes.length)
    expect(found).toEqual(decodeJsonLine(lineOf(bytes), byItsNames))
  })

  it('says why it is no record, where it is deeper than anything is or holds too many values', () => {
    const reasonOf = (bytes: Buffer) => decodeJsonLine(lineOf(bytes), anything)
    expect(reasonOf(megabytes(30, '['))).toMatchObject({
      reason: 'nested more than 250000 levels deep',
    })
    expect(reasonOf(behind('{"a":[', megabytes(2, '0,'), '0]}'))).toMatchObject({
      reason: 'more than 500000 values in one record',
      recovered: [],
    })
    const names = Array.from({ length: 20_001 }, (_, n) => `"a long name ${n}":0`)
    expect(reasonOf(Buffer.from(`{${names.join()}}`))).toMatchObject({
      reason: 'more than 20000 names in one object',
    })
  })

  it('gives up its records to a limit, and says so', () => {
    const found = decodeJsonLine(lineOf(megabytes(1, '{"a":1}')), anything)
    expect(found).toMatchObject({
      type: 'damaged',
      reason: 'several records on one line; the first 5000 are shown',
    })
    expect(found.type === 'damaged' && found.recovered.length).toBe(5000)
  })
})

it.each([
  ['without escapes', 'word '],
  ['of escapes', '\\u00fc'],
  ['of backslashes', '\\\\'],
])('a long text %s is looked back in from its cuts by a few bytes alone', (_, piece) => {
  const text = `"${piece.repeat(50_000)}"`
  let looked = 0
  const counted = (bytes: Buffer): Buffer => {
    const plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return Object.assign(bytes, {
      subarray: (from: number, end: number) => counted(plain.subarray(from, end)),
      lastIndexOf(value: number, from = plain.length - 1) {
        const found = plain.lastIndexOf(value, from)
        looked += from - found
        return found
      },
    })
  }
  const bytes = counted(Buffer.from(text))
  expect(runAtOnce(buildValue(bytes, 0, bytes.length, 100)) === JSON.parse(text)).toBe(true)
  expect(looked).toBeLessThan(bytes.length)
})
