import { expect, it } from 'vitest'
import {
  textLine,
  valueLine,
  writeValueLines,
} from '../../../../../src/main/readers/common/rows/value-lines'
import { SqliteError } from '../../../../../src/main/sqlite/sqlite-error'

const value = '{"words":"some words"}'
const lines = [
  textLine('{"head":1}'),
  ...['a', 'b', 'c'].map((name) =>
    valueLine('{"data":', { name, bytes: Buffer.byteLength(value) }, '}'),
  ),
]

/** Reads values of rows, some of which are on a damaged page. */
function rows(of: Readonly<Record<string, string | null>>, damaged: readonly string[] = []) {
  return async (names: readonly string[]) => {
    if (names.some((name) => damaged.includes(name)))
      throw new SqliteError('damaged', 'is damaged: its pages do not fit together')
    return new Map(
      names.flatMap((name): readonly [string, Uint8Array | null][] => {
        const text = of[name]
        return text === undefined ? [] : [[name, text === null ? null : Buffer.from(text)]]
      }),
    )
  }
}

it('a line with a value on a damaged page says so, takes its room, and hides no other', async () => {
  const { bytes, fault } = await writeValueLines(lines, rows({ a: value, c: value }, ['b']))
  const written = Buffer.from(bytes).toString('utf8').split('\n')
  expect(written.slice(0, 4).map((line) => JSON.parse(line))).toEqual([
    { head: 1 },
    { data: { words: 'some words' } },
    { data: { unreadable: true } },
    { data: { words: 'some words' } },
  ])
  expect(bytes.length).toBe(lines.reduce((sum, line) => sum + line.bytes, 0))
  expect(fault).toMatch(/is damaged/)
})

it('lines end before a row that is gone, or another one than it was', async () => {
  for (const b of [undefined, null, `${value} `]) {
    const of = b === undefined ? { a: value, c: value } : { a: value, b, c: value }
    const { bytes, fault, isChanged } = await writeValueLines(lines, rows(of))
    expect(Buffer.from(bytes).toString('utf8').split('\n')).toHaveLength(3)
    expect([fault, isChanged]).toEqual(['the conversation was changed while it was read', true])
  }
})

it('line ends in a value are spaces, and a missing value is null', async () => {
  const some = [
    valueLine('{"data":', { name: 'a', bytes: 9 }, '}'),
    valueLine('{"data":', { name: 'b', bytes: 4 }, '}'),
  ]
  const { bytes } = await writeValueLines(some, rows({ a: '{\r\n"a":1}'.slice(0, 9), b: null }))
  expect(Buffer.from(bytes).toString('utf8')).toBe('{"data":{  "a":1}}\n{"data":null}\n')
})
