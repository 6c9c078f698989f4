import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scanValue } from '../../../../src/main/disk/json/json-scan'
import { runAtOnce, sliceBytes } from '../../../../src/main/disk/pacing/slices'
import { flattenDeepFieldsInSlices } from '../../../../src/main/store/lines/deep-fields'
import {
  decodeLine,
  decodeLineAsync,
  encodeEntry,
} from '../../../../src/main/store/lines/entry-line'
import { jsonLine, message } from '../../../support/entries'

const decode = (text: string | Uint8Array, ended = true) => {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return decodeLine({ bytes, offset: 0, length: bytes.length, ended })
}
const whole = {
  id: 'a',
  timestamp: 1,
  from: 'mira',
  to: 'garden',
  content: 'hello',
  entry_type: 'message',
}

describe('decoding a line', () => {
  it('takes what chibi writes, and is kinder about times', () => {
    expect(decode(jsonLine({}))).toEqual({ type: 'entry', draft: whole })
    for (const timestamp of [0, 1.5, -3, null, 9e15])
      expect(decode(jsonLine({ timestamp }))).toEqual({
        type: 'entry',
        draft: { ...whole, timestamp },
      })
    for (const [line, reason] of [
      [jsonLine({ timestamp: '1' }), '"timestamp" is not a number'],
      [jsonLine({}).replace('"timestamp":1', '"timestamp":1e999'), '"timestamp" is not a number'],
      [jsonLine({ content: null }), '"content" is not a text'],
      [jsonLine({ from: undefined }), '"from" is missing'],
      ['[1]', 'not a JSON object'],
      ['12', 'not a JSON object'],
    ] as const)
      expect(decode(line)).toEqual({ type: 'damaged', reason, torn: false, recovered: [] })
  })

  it('drops unknown keys and nulls, and keeps optional fields of an unknown shape in metadata', () => {
    const line = jsonLine({
      metadata: null,
      role: 'assistant',
      flow_control: 'yes',
      tool_call_id: 7,
      starred: true,
    })
    expect(decode(line)).toEqual({
      type: 'entry',
      draft: {
        ...whole,
        metadata: { raw_fields: { role: 'assistant', flow_control: 'yes', tool_call_id: 7 } },
      },
    })
    const optional = { metadata: { a: 1 }, role: 'agent', flow_control: true, tool_call_id: 'x' }
    expect(decode(jsonLine(optional))).toEqual({ type: 'entry', draft: { ...whole, ...optional } })
  })

  it('takes white space for a blank line, and a byte order mark and a carriage return for nothing', () => {
    for (const text of ['', ' ', '\t \r', '\ufeff', '\u00a0\u3000'])
      expect(decode(text)).toEqual({ type: 'blank' })
    expect(decode(`\ufeff${jsonLine({})}\r`)).toEqual({ type: 'entry', draft: whole })
  })

  it('marks an entry in which bad bytes were replaced, not one that holds the replacement itself', () => {
    const bytes = Buffer.from(jsonLine({ content: 'caf?' }))
    bytes[bytes.indexOf('?')] = 0xe9
    expect(decode(bytes)).toEqual({
      type: 'entry',
      draft: { ...whole, content: 'caf\ufffd', metadata: { damaged: true } },
    })
    expect(decode(jsonLine({ content: '\ufffd' }))).toEqual({
      type: 'entry',
      draft: { ...whole, content: '\ufffd' },
    })
  })

  it('gives up every whole entry of a line that is none', () => {
    const a = jsonLine({ id: 'a' })
    const b = jsonLine({ id: 'b', content: 'x {"id":"no"} y' })
    const recovered = (id: string, content = 'hello') => ({
      ...whole,
      id,
      content,
      metadata: { recovered: true },
    })
    const both = [recovered('a'), recovered('b', 'x {"id":"no"} y')]
    expect(decode(a + b)).toEqual({
      type: 'damaged',
      reason: 'several records on one line',
      torn: false,
      recovered: both,
    })
    expect(decode(`${a} \0\0 ${b}`)).toMatchObject({ recovered: both })
    for (const torn of [
      '{"id":"torn","to',
      '{"id":"torn","metadata":',
      '{"id":"torn","content":"it \\"said',
      '\0\0\0',
      '}',
      '][',
    ])
      expect(decode(torn + b)).toEqual({
        type: 'damaged',
        reason: 'a whole record and other bytes on one line',
        torn: false,
        recovered: both.slice(1),
      })
    // Not a record of its own: it stands inside a value.
    expect(decode(`{"old":${a}} rubbish`)).toMatchObject({ type: 'damaged', recovered: [] })
  })

  it('takes no embedded text for an entry, wherever the line is torn', () => {
    const inner = jsonLine({ id: 'inner' })
    const outer = jsonLine({
      id: 'outer',
      content: inner,
      entry_type: 'tool_call',
      metadata: { copy: [inner] },
    })
    for (let end = 1; end < outer.length; end++)
      expect(decode(outer.slice(0, end), false)).toMatchObject({
        type: 'damaged',
        torn: true,
        recovered: [],
      })
    expect(decode(outer, false)).toMatchObject({ type: 'entry' })
  })

  it('says in words why a line is damaged', () => {
    const reasons = [
      ['{"id":"a","con', 'the text ends inside a string'],
      ['{"id":"a",', 'the text ends inside a record'],
      ['{"id":"a"', 'the text ends inside a record'],
      ['hello', 'not JSON at character 1'],
      ['{"id":"a" "b"}', 'not JSON at character 11'],
      ['{"id":1} x', 'other bytes after a record at 8'],
      ['\0\0\0', 'only zero bytes, as a power failure leaves them'],
    ] as const
    for (const [text, reason] of reasons)
      expect(decode(text)).toMatchObject({ reason, torn: false })
  })

  it('never throws, and ends soon, on hostile text', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void decode(bytes)))
    // Trying every beginning to its end would take longer than a test may.
    for (const text of [
      '{'.repeat(1e6),
      '{"a":'.repeat(2e5),
      '[['.repeat(5e5),
      `"${'\\'.repeat(1e6)}`,
      '{"a":{}'.repeat(1e5),
    ])
      expect(decode(text)).toMatchObject({ type: 'damaged' })
  })

  it('reads a line of 64 MB', () => {
    const content = 'x'.repeat(64 * 1024 * 1024)
    const decoded = decode(jsonLine({ content }))
    expect(decoded.type === 'entry' && decoded.draft.content.length).toBe(content.length)
  })
})

describe('metadata that is nested deeply', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`
  const line = (metadata: string) => jsonLine({ metadata: 0 }).replace('"metadata":0', metadata)
  const read = (text: string) => {
    const decoded = decode(text)
    if (decoded.type !== 'entry') throw new Error(`the line is ${decoded.type}`)
    return decoded.draft
  }

  it('is taken as it stands up to 100 levels a field', () => {
    const metadata = { model: 'm', x: JSON.parse(nested(100)) }
    expect(read(line(`"metadata":${JSON.stringify(metadata)}`))).toEqual({ ...whole, metadata })
  })

  it.each([101, 1500, 6000, 200_000])(
    'becomes text from %i levels on, and no other field does',
    (levels) => {
      const inObject = `{"a":"\\"]","b":[1,{}],"c":${nested(levels)},"d":[null,true,-0.5]}`
      const draft = read(
        line(`"metadata":{"model":"m","x":${nested(levels)},"__proto__":${inObject},"n":[[1]]}`),
      )
      const { metadata, ...others } = draft
      expect(others).toEqual(whole)
      expect(Object.keys(metadata ?? {})).toEqual(['model', 'n', 'deep_fields'])
      expect(metadata).toMatchObject({ model: 'm', n: [[1]] })
      const texts = Object.entries(metadata?.deep_fields ?? {})
      // As pairs, so that a difference is not looked for inside of them.
      expect(
        texts.map(([name, text]) => [name, text === nested(levels) || text === inObject]),
      ).toEqual([
        ['x', true],
        ['__proto__', true],
      ])
      // What Electron and JSON.stringify could not take.
      expect(structuredClone(draft)).toEqual(draft)
      expect(JSON.parse(JSON.stringify(draft)).content).toBe('hello')
    },
  )

  it('is kept whole by copies of copies, which chibi can read', () => {
    const text = nested(20_000)
    const first = read(line(`"metadata":{"x":${text},"deep_fields":["a person's own"]}`))
    const second = read(Buffer.from(encodeEntry(first, 5)).toString())
    expect(second).toEqual(first)
    expect(second.metadata).toEqual({
      deep_fields: { x: text, deep_fields: '["a person\'s own"]' },
    })
    // chibi's parser takes no more than 127 levels of a line.
    const written = (levels: number) =>
      Buffer.from(encodeEntry(message('x', { metadata: { x: JSON.parse(nested(levels)) } }), 5))
    for (const levels of [100, 101, 400])
      expect(depthOf(written(levels).toString())).toBeLessThan(128)
  })

  it('is text also where the field is none of metadata, or on a damaged line', () => {
    const role = line(`"role":${nested(9000)}`)
    expect(read(role).metadata).toEqual({ deep_fields: { raw_fields: `{"role":${nested(9000)}}` } })
    const list = line(`"metadata":${nested(9000)}`)
    expect(read(list).content).toBe('hello')
    expect(decode(`{"torn${line(`"metadata":{"x":${nested(9000)}}`)}`)).toMatchObject({
      type: 'damaged',
      recovered: [{ ...whole, metadata: { recovered: true, deep_fields: { x: nested(9000) } } }],
    })
  })
})

describe('deep metadata of a long line', () => {
  const nested = (levels: number) => `${'['.repeat(levels)}1${']'.repeat(levels)}`

  it.each([
    ['levels', nested(200_000)],
    ['members', `[${'1,'.repeat(100_000)}${nested(200)}]`],
    ['names', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`],
    // The first cut of the long text would divide the pair.
    ['text', `[${nested(200)},"${'x'.repeat(65_535)}${'😀\\"'.repeat(100_000)}"]`],
  ])('is written in slices: many %s', (_, text) => {
    const told: number[] = []
    const work = flattenDeepFieldsInSlices({ n: 1, x: JSON.parse(text) })
    let step = work.next()
    for (; !step.done; step = work.next()) told.push(step.value)
    expect(told.length).toBeGreaterThan(5)
    expect(Math.max(...told)).toBeLessThan(2 * sliceBytes)
    const { deep_fields: fields } = step.value
    expect(step.value.n).toBe(1)
    expect(Object.entries(fields ?? {}).map(([name, json]) => [name, json === text])).toEqual([
      ['x', true],
    ])
  })

  it('is the same whether others have their turn or not', async () => {
    const metadata = `"metadata":{"x":${nested(200_000)},"y":2}`
    const bytes = Buffer.from(jsonLine({ metadata: 0 }).replace('"metadata":0', metadata))
    const raw = { bytes, offset: 0, length: bytes.length, ended: true }
    let turns = 0
    let gone = 0
    const inTurn = await decodeLineAsync(raw, async (spent) => {
      turns += 1
      gone += spent
    })
    const atOnceRead = decodeLine(raw)
    expect(inTurn.type === 'entry' && inTurn.draft.metadata).toEqual({
      y: 2,
      deep_fields: { x: nested(200_000) },
    })
    expect(inTurn).toEqual(atOnceRead)
    expect(gone).toBeGreaterThan(16 * 400_000)
    expect(turns).toBeGreaterThan(gone / (3 * sliceBytes))
  })
})

/** The levels of a JSON text. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const char of text.replace(/"(?:[^"\\]|\\.)*"/g, '')) {
    if (char === '[' || char === '{') depth += 1
    if (char === ']' || char === '}') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

describe('finding the end of a JSON value', () => {
  it('agrees with JSON.parse', () => {
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.constantFrom('', ' ', ',', 'x', '{}'),
        fc.constantFrom(0, 1, 2),
        (value, after, indent) => {
          const text = JSON.stringify(value, undefined, indent)
          // A number may go on in what follows; nothing else may.
          fc.pre(typeof value !== 'number' || after !== 'x')
          const end = runAtOnce(scanValue(Buffer.from(text + after), 0))
          expect(end).toEqual({ type: 'value', end: Buffer.byteLength(text) })
        },
      ),
    )
  })

  it('finds a fault in every beginning of an object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
        const text = JSON.stringify(value)
        for (let end = 0; end < text.length; end++)
          expect(runAtOnce(scanValue(Buffer.from(text.slice(0, end)), 0))).toMatchObject({
            type: 'fault',
          })
      }),
      { numRuns: 50 },
    )
  })
})

describe('encoding an entry', () => {
  it('is read back as the same entry, whatever its words are', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (content, metadata) => {
          const draft = message(content, { metadata: { ...metadata, some: 1 } })
          const json = JSON.parse(JSON.stringify(draft))
          expect(decode(encodeEntry(draft, 5))).toEqual({ type: 'entry', draft: json })
        },
      ),
    )
  })

  it('writes whole seconds from 0 up, and the present where there is no time', () => {
    const written = (timestamp: number | null) =>
      JSON.parse(Buffer.from(encodeEntry(message('x', { timestamp }), 77)).toString()).timestamp
    expect([written(1.99), written(-5), written(null)]).toEqual([1, 0, 77])
  })
})
