import { expect, it } from 'vitest'
import { cursorRow, hitListRows, optionOf } from '../../../src/renderer/search/hit-rows'
import type { ListedHit } from '../../../src/renderer/state/search-state'

const hit = (id: number, group: string) => ({ id, group, name: `${id}`, time: 0 }) as ListedHit
const hits = [hit(1, 'a'), hit(2, 'a'), hit(3, 'b'), hit(4, 'c'), hit(5, 'c')]

it('puts the hits of each conversation under its head', () => {
  const rows = hitListRows(hits, new Set())
  expect(
    rows.map((row) => (row.type === 'head' ? `${row.first.group}${row.count}` : row.position)),
  ).toEqual(['a2', 0, 1, 'b1', 2, 'c2', 3, 4])
  expect(rows.map((row) => optionOf(row)?.id)).toEqual([
    ...[undefined, 1, 2, undefined, 3, undefined, 4, 5],
  ])
})

it('has the head of a folded conversation stand for its first hit, and counts all of them', () => {
  const rows = hitListRows(hits, new Set(['a', 'c']))
  expect(
    rows.map((row) => (row.type === 'head' ? `${row.first.group}${row.count}` : row.position)),
  ).toEqual(['a2', 'b1', 2, 'c2'])
  expect(rows.map((row) => optionOf(row)?.id)).toEqual([1, undefined, 3, 4])
})

it('has the cursor at the selected hit, or at the head that it is folded behind', () => {
  const open = hitListRows(hits, new Set())
  const folded = hitListRows(hits, new Set(['a', 'c']))
  expect(hits.map((one) => cursorRow(open, one))).toEqual([1, 2, 4, 6, 7])
  expect(hits.map((one) => cursorRow(folded, one))).toEqual([0, 0, 2, 3, 3])
  expect(cursorRow(folded, undefined)).toBe(-1)
  expect(cursorRow([], hits[0])).toBe(-1)
})
