import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  allAs,
  type KnownFormat,
  knownList,
  knownNames,
  knownObject,
  knownTypes,
} from '../../../../src/main/readers/known/known-format'
import { lineDriftCheck } from '../../../../src/main/readers/known/line-drift'
import type { UnknownName } from '../../../../src/shared/model/drift/drift'

const part = knownObject(
  ['type'],
  {},
  knownTypes('type', [
    ['text', knownObject(['text'])],
    ['image', 'any'],
  ]),
)
const format: KnownFormat = {
  proved: '2.1',
  versionOf: ({ version }) => version,
  record: knownObject(
    ['type', 'version', 'input'],
    { parts: knownList(part), level: knownNames(['info']) },
    knownTypes('type', allAs(['message', 'note'], 'shared')),
  ),
}
const check = lineDriftCheck(format)
const named = (value: unknown): readonly UnknownName[] => check(value)?.names ?? []

it('finds nothing in a line that its reader knows', () => {
  const parts = [{ type: 'text', text: 'x' }, { type: 'image', anything: 1 }, 'words']
  const line = { type: 'message', version: '2.1.7', input: { a: 1 }, parts, level: 'info' }
  expect(check(line)).toBeUndefined()
  for (const value of [undefined, null, 'text', 3, [line]]) expect(check(value)).toBeUndefined()
})

it('names new fields and types by their path', () => {
  expect(named({ type: 'message', glow: 1 })).toEqual([{ what: 'field', name: 'glow' }])
  expect(named({ type: 'moon', glow: 1 })).toEqual([{ what: 'type', name: 'moon' }])
  expect(named({ glow: 1 })).toEqual([{ what: 'type', name: '(none)' }])
  expect(
    named({
      type: 'note',
      level: 'loud',
      parts: [{ type: 'text', text: '', hue: 1 }, { type: 'sound' }, { type: 'sound' }],
    }),
  ).toEqual([
    { what: 'type', name: 'level/loud' },
    { what: 'field', name: 'parts/text.hue' },
    { what: 'type', name: 'parts/sound' },
  ])
})

it("takes a value's own names alone, whatever JavaScript has under them", () => {
  const value: unknown = JSON.parse('{"type":"note","__proto__":{"a":1},"constructor":2}')
  expect(named(value).map(({ name }) => name)).toEqual(['__proto__', 'constructor'])
  expect(named(JSON.parse('{"type":"constructor"}'))).toEqual([
    { what: 'type', name: 'constructor' },
  ])
})

it('keeps 32 names of a line, each cut at 80 characters, and says that there are more', () => {
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`new${at}`, at]))
  const found = check({ type: 'note', ...many })
  expect(found?.names).toHaveLength(32)
  expect(found?.isCut).toBe(true)
  const [long] = named({ type: 'note', ['x'.repeat(10_000)]: 1 })
  expect(long?.name).toHaveLength(80)
})

it('tells a version that is newer than the newest proved one, and no other', () => {
  const versionOf = (version: unknown) => check({ type: 'note', version })?.version
  for (const old of [
    '2.1',
    '2.1.300',
    '2.0.9',
    '1.99',
    'v2.1',
    2,
    null,
    {},
    '',
    'new',
    '9'.repeat(50),
  ])
    expect(versionOf(old)).toBeUndefined()
  expect(versionOf('2.2.0')).toBe('2.2.0')
  expect(versionOf('v2.10.0-beta.1')).toBe('2.10.0-beta.1')
  expect(versionOf(3)).toBe('3')
})

it('never fails, and finds exactly the names that were planted', () => {
  const plain = fc.record({ type: fc.constantFrom('message', 'note'), version: fc.constant('2.1') })
  const planted = fc.dictionary(fc.string({ minLength: 1, maxLength: 20 }), fc.jsonValue(), {
    maxKeys: 8,
  })
  const known = new Set(['type', 'version', 'input', 'parts', 'level'])
  fc.assert(
    fc.property(plain, planted, (line, more) => {
      const text = JSON.stringify({ ...more, ...line })
      const value: unknown = JSON.parse(text)
      const own = Object.keys(JSON.parse(JSON.stringify(more)))
      const expected = own.filter((name) => !known.has(name))
      const fields = named(value).filter(({ name }) => !/^(?:parts|level)[/.]/.test(name))
      expect(fields.map(({ name }) => name).sort()).toEqual(expected.sort())
    }),
  )
  fc.assert(fc.property(fc.jsonValue(), (value) => void check(value)))
})
