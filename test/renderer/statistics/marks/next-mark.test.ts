import { expect, it } from 'vitest'
import { nextMark } from '../../../../src/renderer/statistics/marks/next-mark'

const marks = [
  { row: 0, column: 2 },
  { row: 0, column: 9 },
  { row: 1, column: 8 },
  { row: 3, column: 2 },
]
const from = { row: 0, column: 2 }

it('goes to the nearest mark in the direction of an arrow, over gaps', () => {
  expect(nextMark(marks, from, 'ArrowRight')).toEqual({ row: 0, column: 9 })
  expect(nextMark(marks, from, 'ArrowDown')).toEqual({ row: 3, column: 2 })
  expect(nextMark(marks, { row: 3, column: 2 }, 'ArrowUp')).toEqual(from)
  expect(nextMark(marks, { row: 1, column: 8 }, 'ArrowLeft')).toEqual(from)
  expect(nextMark(marks, from, 'ArrowLeft')).toBeUndefined()
})

it('goes to the ends of a row, and nowhere by other keys', () => {
  expect(nextMark(marks, from, 'End')).toEqual({ row: 0, column: 9 })
  expect(nextMark(marks, { row: 0, column: 9 }, 'Home')).toEqual(from)
  expect(nextMark(marks, from, 'x')).toBeUndefined()
})
