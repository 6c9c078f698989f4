import { expect, it } from 'vitest'
import { xOfTime } from '../../../../src/shared/model/map/columns'

const axis = [
  { ms: 1000, x: 0 },
  { ms: 2000, x: 10 },
  { ms: 6000, x: 50 },
]

it('finds a time between two points in proportion, and beyond the ends at them', () => {
  expect([1000, 1500, 2000, 3000, 6000, 0, 9000].map((ms) => xOfTime(axis, ms))).toEqual([
    0, 5, 10, 20, 50, 0, 50,
  ])
  expect(xOfTime([], 5)).toBe(0)
})
