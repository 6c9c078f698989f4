import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ElementScan } from '../../../../src/main/records/document/element-scan'
import type { DocumentShape, FoundElement } from '../../../../src/main/records/document/shape'

const shape: DocumentShape = {
  id: 'test',
  records: 'mapping',
  facts: ['title', 'time', 'current'],
  record: { id: ['id'], parent: ['parent'], time: ['message', 'create_time'] },
  leaf: 'current',
}

/** Feeds a text in pieces of the given sizes, over and over. */
function scan(text: string | Buffer, sizes: readonly number[], by = shape): FoundElement[] {
  const bytes = Buffer.from(text)
  const elements = new ElementScan(by)
  const found: FoundElement[] = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = Math.max(1, sizes[turn % sizes.length] ?? 1)
    // As a caller does that uses its buffer again.
    const piece = Buffer.from(bytes.subarray(at, at + size))
    found.push(...elements.feed(piece, at))
    piece.fill(0x7b)
    at += size
  }
  return [...found, ...elements.finish(bytes.length)]
}

const parsed = (text: string, { start, end }: { start: number; end: number }): unknown =>
  JSON.parse(Buffer.from(text).subarray(start, end).toString('utf8'))

const anyValue = fc.jsonValue({ maxDepth: 4 })
/** Longer than names and most values, with what is escaped at any place. */
const longText = fc
  .array(fc.oneof(fc.constantFrom('\\', '"', '\\"', '{', ']'), fc.string()), { maxLength: 30 })
  .map((parts) => parts.join(''))
const anySize = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 41, max: 4000 }))
const anySizes = fc.array(anySize, { minLength: 1, maxLength: 5 })
const anyIndent = fc.constantFrom(0, 1, '\t', '  ')

const anyValues = fc.array(fc.oneof(anyValue, longText, fc.record({ inside: fc.tuple(longText) })))

describe('the scan of a JSON document', () => {
  it('finds the same elements as JSON.parse does, wherever the pieces end', () => {
    fc.assert(
      fc.property(anyValues, anyIndent, anySizes, (values, indent, sizes) => {
        const text = JSON.stringify(values, undefined, indent)
        const found = scan(text, sizes)
        // -0 is written as 0.
        expect(found.map((one) => parsed(text, one))).toEqual(JSON.parse(text))
        expect(found.some(({ isTorn }) => isTorn)).toBe(false)
      }),
    )
  })

  it('finds the records of a conversation and what orders them, as JSON.parse does', () => {
    const node = fc.record({
      id: fc.string(),
      parent: fc.oneof(fc.string(), fc.constant(null)),
      children: anyValue,
      message: fc.oneof(
        fc.constant(null),
        fc.record({ create_time: fc.oneof(fc.integer(), fc.constant(null)), content: anyValue }),
      ),
    })
    const conversation = fc.record({
      title: fc.string(),
      before: anyValue,
      mapping: fc.dictionary(fc.string(), node),
      current: fc.string(),
      after: anyValue,
    })
    fc.assert(
      fc.property(fc.array(conversation), anyIndent, anySizes, (values, indent, sizes) => {
        const text = JSON.stringify(values, undefined, indent)
        const read = JSON.parse(text) as typeof values
        const found = scan(text, sizes)
        expect(found.map(({ facts }) => facts)).toEqual(
          read.map(({ title, current }) => ({ title, current })),
        )
        for (const [number, { records, isConversation }] of found.entries()) {
          const nodes = Object.values(read[number]?.mapping ?? {})
          expect(isConversation).toBe(true)
          expect(records.map((record) => parsed(text, record))).toEqual(nodes)
          expect(records.map(({ id, parent, time }) => [id, parent, time])).toEqual(
            nodes.map(({ id, parent, message }) => [id, parent, message?.create_time ?? undefined]),
          )
        }
      }),
    )
  })

  it('finds records, facts and the list itself inside of other members, and nothing else of their names', () => {
    const nested: DocumentShape = {
      id: 'nested',
      list: 'all',
      records: 'chat.history.messages',
      facts: ['title', 'chat.title', 'chat.history.now', 'chat.history'],
      record: { id: ['in', 'id'], parent: ['in', 'parent'], time: ['in', 'at', '$date', 'ms'] },
    }
    const record = fc.record({
      in: fc.record({
        id: fc.string(),
        parent: fc.string(),
        at: fc.record({ $date: fc.record({ ms: fc.nat() }) }),
      }),
      messages: anyValue,
    })
    const conversation = fc.record({
      title: fc.string(),
      before: anyValue,
      messages: anyValue,
      chat: fc.record({
        title: fc.string(),
        history: fc.record({ now: fc.string(), messages: fc.array(record), more: anyValue }),
        messages: anyValue,
        behind: anyValue,
      }),
      history: anyValue,
    })
    const document = fc.record({ before: anyValue, all: fc.array(conversation), after: anyValue })
    fc.assert(
      fc.property(document, anyIndent, anySizes, (value, indent, sizes) => {
        const text = JSON.stringify(value, undefined, indent)
        const { all } = JSON.parse(text) as typeof value
        const found = scan(text, sizes, nested)
        expect(found.map((one) => parsed(text, one))).toEqual(all)
        expect(found.map(({ facts }) => facts)).toEqual(
          all.map(({ title, chat }) => ({
            title,
            'chat.title': chat.title,
            'chat.history.now': chat.history.now,
          })),
        )
        expect(found.map(({ records }) => records.map((one) => parsed(text, one)))).toEqual(
          all.map(({ chat }) => chat.history.messages),
        )
        expect(
          found.map(({ records }) => records.map(({ id, parent, time }) => [id, parent, time])),
        ).toEqual(
          all.map(({ chat }) =>
            chat.history.messages.map(({ in: { id, parent, at } }) => [id, parent, at.$date.ms]),
          ),
        )
      }),
    )
  })

  it('takes a document that is one conversation, and what a crash left behind it', () => {
    const text = `${JSON.stringify({ title: 'one', mapping: { a: { id: 'a' } } })}\n\0\0\0`
    expect(scan(text, [7])).toMatchObject([
      { facts: { title: 'one' }, records: [{ id: 'a' }], start: 0 },
    ])
  })

  it('gives every whole record of a document that ends anywhere, and says which element is torn', () => {
    const nodes = (name: string) => ({ [name]: { id: name, text: '"}]\\' }, b: { id: 'b' } })
    const text = JSON.stringify([
      { title: 'first', mapping: nodes('a') },
      { title: 'second', mapping: nodes('c'), current: 'b' },
    ])
    const whole = scan(text, [1000])
    for (let end = 0; end < text.length; end++) {
      const found = scan(text.slice(0, end), [11])
      const ends = whole.filter((one) => one.end <= end)
      expect(found.filter(({ isTorn }) => !isTorn)).toEqual(ends)
      for (const { records } of found.filter(({ isTorn }) => isTorn))
        for (const record of records)
          expect(whole.flatMap((one) => one.records)).toContainEqual(record)
      expect(found.flatMap(({ records }) => records)).toHaveLength(
        whole.flatMap((one) => one.records).filter((record) => record.end <= end).length,
      )
    }
  })

  it('never throws, whatever the bytes are', () => {
    const anyBytes = fc.uint8Array({ maxLength: 200 })
    const anyMarks = fc.array(fc.constantFrom(...'{}[]",:\\ \n\0a1'), { maxLength: 200 })
    fc.assert(
      fc.property(
        fc.oneof(
          anyBytes,
          anyMarks.map((marks) => Buffer.from(marks.join(''))),
        ),
        (some) => {
          for (const { start, end } of scan(Buffer.from(some), [3]))
            expect(end).toBeGreaterThan(start)
        },
      ),
    )
  })
})
