import { expect, it } from 'vitest'
import {
  rulerTop,
  rulerTops,
  tickPixels,
} from '../../../../src/renderer/transcript/find/ruler-places'

const unknown = () => undefined

it('places marks by the number of the row, from the first pixel to the last', () => {
  expect(rulerTops({ rows: [0, 50, 100], size: 101 }, 1000, unknown)).toEqual([0, 495, 990])
  expect(rulerTop(100, 101, 1000, unknown)).toBe(990)
})

it('places a mark where its row is, where that is known', () => {
  const top = (row: number) => (row === 1 ? 0.25 : 1)
  expect(rulerTops({ rows: [1, 2], size: 3 }, 400, top)).toEqual([100, 400 - tickPixels])
})

it('draws no more marks than there is room for, however many rows match', () => {
  const rows = Array.from({ length: 100_000 }, (_, row) => row)
  const tops = rulerTops({ rows, size: rows.length }, 600, unknown)
  expect(tops.length).toBeLessThanOrEqual(600 / tickPixels)
  const distances = tops.slice(1).map((top, at) => top - (tops[at] ?? 0))
  expect(Math.min(...distances)).toBeGreaterThanOrEqual(tickPixels)
  expect(tops[0]).toBe(0)
})

it('shows rows in any order, results before the calls that follow them', () => {
  expect(rulerTops({ rows: [9, 2, 5], size: 10 }, 100, unknown)).toEqual([20, 50, 90])
})
