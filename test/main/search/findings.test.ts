import { expect, it, vi } from 'vitest'
import { Findings } from '../../../src/main/search/findings'
import type { PlacedEntry } from '../../../src/shared/model/search'

function entry(line: number, text: string): PlacedEntry {
  const place = { line, offset: line, length: 1 }
  return { entryId: `L${line}`, timestamp: line, field: 'content', text, type: 'message', ...place }
}

it('orders copies of a few texts a few times, however many there are', () => {
  const findings = new Findings(3)
  const sort = vi.spyOn(Array.prototype, 'sort')
  for (let line = 1; line <= 40_000; line++)
    findings.add(
      0,
      entry(line, line % 2 === 0 ? 'pea' : 'bean'),
      { score: line, time: line },
      'garden',
      [],
    )
  const sorted = sort.mock.calls.length
  sort.mockRestore()
  expect(sorted).toBeLessThan(10)
  const { hits, others } = findings.finish(['pea'])
  expect([hits.length, others.length]).toEqual([40_000, 0])
  expect(hits[0]).toMatchObject({ line: 40_000, cut: { snippet: 'pea', ranges: [[0, 3]] } })
})

it('holds the texts of the newest alone where all differ', () => {
  const findings = new Findings(3)
  for (let line = 1; line <= 5000; line++)
    findings.add(0, entry(line, `pea ${line}`), { score: line, time: line }, 'g', [])
  expect(findings.threshold()).toBe(4998)
  const { hits, others } = findings.finish(['pea'])
  expect(hits.map(({ line }) => line)).toEqual([5000, 4999, 4998])
  expect(new Set(others.map(({ line }) => line)).size).toBe(4997)
})

it('has one snippet for all copies of a text, which crosses to another thread once', () => {
  const findings = new Findings(3)
  const long = `${'peas and beans '.repeat(20)}pea`
  for (let line = 1; line <= 2000; line++) {
    // Each is read from its own line: equal, and not the same string.
    findings.add(
      0,
      entry(line, Buffer.from(long).toString()),
      { score: line, time: line },
      'garden',
      [],
    )
  }
  const { hits } = findings.finish(['pea'])
  expect(hits).toHaveLength(2000)
  expect(new Set(hits.map(({ cut }) => cut)).size).toBe(1)
  expect(new Set(structuredClone(hits).map(({ cut }) => cut)).size).toBe(1)
})
