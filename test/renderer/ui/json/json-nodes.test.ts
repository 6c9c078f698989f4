import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type JsonNode, jsonNodes } from '../../../../src/renderer/ui/json/json-nodes'

/** Writes a tree back, with nothing between its signs. */
function written(node: JsonNode): string {
  if (node.type === 'scalar') return node.raw
  const members = node.members.map(({ key, node: value }) =>
    key === undefined ? written(value) : `${JSON.stringify(key)}:${written(value)}`,
  )
  return node.type === 'object' ? `{${members.join(',')}}` : `[${members.join(',')}]`
}

it('keeps every digit, escape and key as the text has them', () => {
  const text =
    '{"id":12345678901234567890,"price":1.50,"id":1e400,"text":"a\\u00e9\\n\\"b\\"","none":[null,true,{}],"__proto__":[]}'
  const nodes = jsonNodes(`\n ${text} `)
  expect(nodes === undefined ? '' : written(nodes)).toBe(text)
})

it('reads what any JSON says', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())),
      (value) => {
        const text = JSON.stringify(value, null, 2)
        const nodes = jsonNodes(text)
        const isEmpty = Object.keys(value).length === 0
        expect(nodes === undefined ? undefined : written(nodes)).toBe(
          isEmpty ? undefined : JSON.stringify(value),
        )
      },
    ),
  )
})

it.each(['', '{}', '[]', ' ', '"text"', '12', '{"a":1} x', '{"a":}', '[1,2', '{a:1}', 'no'])(
  'reads nothing of %j',
  (text) => expect(jsonNodes(text)).toBeUndefined(),
)

it('leaves what is too large, and reads what is deep', () => {
  expect(jsonNodes(`[${'1,'.repeat(20_000)}1]`)).toBeUndefined()
  expect(jsonNodes(`["${'x'.repeat(200_000)}"]`)).toBeUndefined()
  expect(jsonNodes(`${'['.repeat(2_000)}1${']'.repeat(2_000)}`)?.members).toHaveLength(1)
})
