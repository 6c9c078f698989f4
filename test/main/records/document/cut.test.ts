import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutBytes, cutElement } from '../../../../src/main/records/document/cut'
import { ElementScan } from '../../../../src/main/records/document/element-scan'
import type { DocumentShape } from '../../../../src/main/records/document/shape'

const plain: DocumentShape = {
  id: 'test',
  records: 'nodes',
  facts: ['title'],
  record: { id: ['id'], parent: ['parent'], time: ['time'] },
}
const nested: DocumentShape = { ...plain, records: 'chät.history.nodes' }

const value = fc.jsonValue({ maxDepth: 2 })
const nodes = fc.array(fc.record({ id: fc.string(), parent: fc.string(), text: fc.string() }))
const members = fc.dictionary(fc.string(), value, { maxKeys: 3 })
const conversation = fc
  .record({ before: members, nodes, behind: members, between: members, after: members })
  .map(({ before, nodes: own, behind, between, after }) => ({
    plain: { ...before, nodes: own, ...behind },
    nested: { ...before, chät: { ...between, history: { nodes: own, ...behind }, ...after } },
  }))

it.each([
  ['plain', plain],
  ['nested', nested],
] as const)(
  'counts the bytes of a %s conversation as its cut has them, wherever the document ends',
  (name, shape) => {
    fc.assert(
      fc.property(fc.array(fc.oneof(conversation, value)), fc.nat(), (values, end) => {
        const list = values.map((one) =>
          typeof one === 'object' && one !== null && name in one
            ? (one as Readonly<Record<string, unknown>>)[name] // any object can be read so
            : one,
        )
        const text = Buffer.from(JSON.stringify(list))
        for (const bytes of [text, text.subarray(0, end % (text.length + 1))]) {
          const scan = new ElementScan(shape)
          for (const element of [...scan.feed(bytes, 0), ...scan.finish(bytes.length)])
            expect(cutBytes(shape, element)).toBe(cutElement(shape, element).sizeBytes)
        }
      }),
    )
  },
)
