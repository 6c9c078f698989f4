import { expect, it } from 'vitest'
import { rowLister } from '../../../../../src/main/readers/common/rows/row-list'
import type { RowSource } from '../../../../../src/main/readers/common/rows/row-source'
import type {
  SchemaReader,
  TableSchema,
} from '../../../../../src/main/readers/common/rows/table-schema'

const names = Array.from({ length: 100 }, (_, n) => `c${n}`)

/** A database of a hundred conversations, and how many were asked for at once. */
function database(indexes: ReadonlyMap<string, string>) {
  const asked: number[] = []
  const schema: TableSchema = { version: 1, columns: new Map([['rows', ['of']]]), indexes }
  const reader: SchemaReader = {
    async read(_, queries) {
      const rows = queries(schema).flatMap((query) => ('sums' in query ? [] : (query.values ?? [])))
      return {
        schema,
        state: 'same',
        answers: [{ rows: rows.map((one) => [one]), isCut: false }],
        lost: undefined,
        fault: undefined,
      }
    },
  }
  const source: RowSource = {
    id: 'test',
    keyColumns: { rows: 'of', gone: 'of', others: '' },
    overview: () => [{ sql: '', values: names }],
    rows(_, some) {
      asked.push(some.length)
      return [{ sql: '', values: some }]
    },
    layOut: ([answer]) =>
      (answer?.rows ?? []).map(([name]) => {
        return { name: String(name), about: {}, lines: [], mtimeMs: 0, state: '' }
      }),
    values: () => ({ sql: '' }),
  }
  return { asked, list: rowLister(reader, source) }
}

it('reads conversations a few at a time where an index finds them, and else all at once', async () => {
  const indexed = database(new Map([['rows', 'by_conversation']]))
  expect((await indexed.list('a.db')).all.map(({ name }) => name)).toEqual(names)
  expect(indexed.asked).toEqual([50, 50])
  const plain = database(new Map())
  expect((await plain.list('a.db')).all.map(({ name }) => name)).toEqual(names)
  expect(plain.asked).toEqual([100])
})
