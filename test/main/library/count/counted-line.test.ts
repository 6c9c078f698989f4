import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CountLine,
  foreignLineCount,
  ourLineCount,
} from '../../../../src/main/library/count/counted-line'
import { readers } from '../../../../src/main/readers/index'
import { lineDriftCheck } from '../../../../src/main/readers/known/line-drift'
import { decodeLine } from '../../../../src/main/store/lines/entry-line'

const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    'session',
    'message',
    'assistant',
    'model-ü',
    '\u{1f600}',
    '\ud800',
  ),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const scalars = fc.oneof(texts, fc.constantFrom(null, true, 0, -1.5, 1e21))
const parts = fc.oneof(
  scalars,
  fc.record({ type: fc.constant('text'), text: texts }),
  fc.record(
    { type: fc.constant('image_url'), image_url: texts, text: texts },
    { requiredKeys: [] },
  ),
  fc.record({ $type: fc.constantFrom('functionCall', 'reasoning'), name: texts, text: texts }),
)
const calls = fc.oneof(
  scalars,
  fc.record({ id: texts, function: fc.record({ name: texts, arguments: scalars }) }),
)
const metadata = fc.oneof(
  scalars,
  fc.array(scalars, { maxLength: 2 }),
  fc.dictionary(fc.constantFrom('model', 'constructor', '__proto__', 'type', 'm'), scalars),
)
const values = fc.oneof(scalars, fc.array(parts, { maxLength: 3 }), metadata)

/** Values of the keys that the formats have, mostly of the type that they should be. */
const fields: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  role: fc.oneof(fc.constantFrom('user', 'assistant', 'tool', 'system'), values),
  content: fc.oneof(texts, fc.array(parts, { maxLength: 3 }), values),
  contents: fc.oneof(fc.array(parts, { maxLength: 3 }), values),
  tool_calls: fc.oneof(fc.array(calls, { maxLength: 3 }), values),
  _meta: values,
  metadata: metadata,
  type: fc.oneof(fc.constantFrom('session', 'message', 'stt', 'tts'), values),
  version: fc.constantFrom(3, '3'),
  conversation_id: fc.oneof(fc.constantFrom('conv_a', 'conv_b', 'ü', 'transcriptions/x'), values),
  text: fc.oneof(texts, values),
  id: fc.oneof(texts, values),
  timestamp: fc.oneof(
    fc.constantFrom('2025-09-01T08:00:00.123456+00:00', 1_770_000_000, null),
    values,
  ),
  from: fc.oneof(texts, values),
  to: fc.oneof(texts, values),
  entry_type: fc.oneof(fc.constant('message'), values),
  odd: values,
}

const usual: Readonly<Record<string, readonly string[]>> = {
  chibi: ['id', 'timestamp', 'from', 'to', 'content', 'entry_type', 'metadata'],
  cycod: ['role', 'content', 'tool_calls'],
  fluux: ['type', 'role', 'content'],
  voicemode: ['version', 'timestamp', 'conversation_id', 'type', 'text', 'metadata'],
}

const anyKey = fc.constantFrom(...Object.keys(fields))

/** An object as text: keys of the format in its order, others among them, and some of them twice. */
function objects(format: string): fc.Arbitrary<string> {
  const more = fc.array(anyKey, { maxLength: 2 })
  return fc
    .tuple(
      fc.subarray([...(usual[format] ?? [])], { minLength: 1 }),
      more,
      fc.boolean(),
      fc.boolean(),
    )
    .chain(([keys, others, areFirst, isSpaced]) => {
      const all = areFirst ? [...others, ...keys] : [...keys, ...others]
      const pairs = all.map((key) =>
        (fields[key] ?? scalars).map((value) => [JSON.stringify(key), JSON.stringify(value)]),
      )
      return fc
        .tuple(...pairs)
        .map(
          (told) =>
            `{${told.map((pair) => pair.join(isSpaced ? ': ' : ':')).join(isSpaced ? ', ' : ',')}}`,
        )
    })
}

/** What happens to lines: other line ends, marks, bytes, glue, cuts; nesting without end. */
const fates: fc.Arbitrary<(json: Buffer) => Buffer> = fc.oneof(
  { weight: 6, arbitrary: fc.constant((json: Buffer) => json) },
  fc
    .constantFrom('\r', ' ', '\u00a0', '\ufeff', '}', ', {}', '{"role":"user","content":"x"}')
    .map((end) => (json: Buffer) => Buffer.concat([json, Buffer.from(end)])),
  fc
    .constantFrom('\ufeff', ' ', '\u2028', 'noise ', '{"torn": "')
    .map((begin) => (json: Buffer) => Buffer.concat([Buffer.from(begin), json])),
  fc.constant((json: Buffer) => Buffer.concat([json, json])),
  fc.nat(400).map((at) => (json: Buffer) => json.subarray(0, at % (json.length + 1))),
  fc
    .tuple(fc.nat(400), fc.constantFrom(0x80, 0xc3, 0xed, 0xff, 0x00, 0x09, 0x22, 0x5c))
    .map(([at, byte]) => (json: Buffer) => {
      const changed = Buffer.from(json)
      changed[at % json.length] = byte
      return changed
    }),
  fc.constantFrom(3, 499, 500, 501, 502).map((levels) => (json: Buffer) => {
    const deep = `${'['.repeat(levels)}1${']'.repeat(levels)}`
    return Buffer.from(json.toString().replace(/\}$/, `,"deep":${deep}}`))
  }),
  fc.constantFrom('', ' \r', '\0\0', '[1]', '1', '"x"').map((text) => () => Buffer.from(text)),
)

function linesOf(format: string): fc.Arbitrary<Buffer> {
  return fc.tuple(objects(format), fates).map(([json, fate]) => fate(Buffer.from(json)))
}

function told(countLine: CountLine, bytes: Buffer) {
  const { kind, values } = countLine({ bytes, offset: 0, length: bytes.length, ended: true })
  return {
    kind,
    values: values
      .map(({ key, entries, models }) => ({ key: key ?? null, entries, models }))
      .filter(({ entries }) => entries > 0),
  }
}

function driftOn(countLine: CountLine, bytes: Buffer) {
  return countLine({ bytes, offset: 0, length: bytes.length, ended: true }).drift
}

/** By the store's own reading of the line. */
const ours: CountLine = (line) => {
  const decoded = decodeLine(line)
  const drafts =
    decoded.type === 'entry' ? [decoded.draft] : decoded.type === 'damaged' ? decoded.recovered : []
  const models = drafts.map(({ metadata }) => metadata?.model)
  const named = models.filter((model) => typeof model === 'string')
  return { kind: decoded.type, values: [{ entries: drafts.length, models: named }] }
}

describe('counting a line', () => {
  // A format without a quick count is always counted by its entries.
  const quick = readers.filter((one) => one.meaningOf === undefined || one.countOf !== undefined)
  for (const { id, meaningOf, countOf, known } of quick)
    it(`of ${id} without making its entries tells what making them tells`, () => {
      const check = lineDriftCheck(known)
      const slow = meaningOf === undefined ? ours : foreignLineCount(meaningOf)
      const fast =
        meaningOf === undefined ? ourLineCount(check) : foreignLineCount(meaningOf, countOf, check)
      const checked = meaningOf && foreignLineCount(meaningOf, undefined, check)
      const seen = new Set<string>()
      fc.assert(
        fc.property(linesOf(id), (bytes) => {
          const expected = told(slow, bytes)
          seen.add(expected.kind)
          expect(told(fast, bytes)).toEqual(expected)
          // What is new is the same, whichever way a line is counted.
          if (checked) expect(driftOn(fast, bytes)).toEqual(driftOn(checked, bytes))
        }),
        { numRuns: 3000 },
      )
      expect([...seen]).toEqual(expect.arrayContaining(['entry', 'blank', 'damaged']))
    })

  it('is spared the long way where a line is as its format writes it', () => {
    const usualLines: Readonly<Record<string, object>> = {
      cycod: { role: 'assistant', content: 'ü', tool_calls: [{ id: 'a' }, { id: 'b' }] },
      fluux: { type: 'message', role: 'user', content: 'ü' },
      voicemode: { version: 3, timestamp: 't', conversation_id: 'c', metadata: { model: 'm' } },
    }
    const found = readers.flatMap(({ id, countOf }) => {
      const json = JSON.stringify(usualLines[id])
      return countOf === undefined ? [] : [[id, countOf(JSON.parse(json), json)]]
    })
    expect(Object.fromEntries(found)).toEqual({
      cycod: { kind: 'entry', entries: 3 },
      fluux: { kind: 'entry', entries: 1 },
      voicemode: { kind: 'entry', key: 'c', entries: 1, model: 'm' },
    })
  })
})
