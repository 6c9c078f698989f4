import { describe, expect, it } from 'vitest'
import { formatTable, replaceBetweenMarkers } from '../../scripts/bench/table.mjs'

const rows = [
  { name: 'first page', figure: 12.3456, unit: 'ms', budget: 'at most 300', ok: true },
  { name: 'heap', figure: 1234.5, unit: 'MB', budget: 'at most 40', ok: false },
  { name: 'entries', figure: 98765, unit: 'entries', ok: true },
]

describe('the table of figures', () => {
  it('shows each figure beside its budget, and says which is over', () => {
    expect(formatTable(rows)).toBe(
      [
        '| what       | figure | unit    | budget      |      |',
        '| ---------- | -----: | ------- | ----------- | ---- |',
        '| first page |   12.3 | ms      | at most 300 | kept |',
        '| heap       |  1,235 | MB      | at most 40  | OVER |',
        '| entries    | 98,765 | entries |             |      |',
      ].join('\n'),
    )
  })
})

describe('the page of figures', () => {
  it('gets them at its end the first time, and at the same place from then on', () => {
    const first = replaceBetweenMarkers('# Benchmarks\n', 'one')
    const second = replaceBetweenMarkers(`${first}\nWhat they mean.\n`, 'two')

    expect(first).toContain('# Benchmarks\n\n<!-- figures: begin')
    expect(second).toBe(`${first.replace('one', 'two')}\nWhat they mean.\n`)
  })
})
