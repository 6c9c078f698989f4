import { expect, it } from 'vitest'
import { drawnRows } from '../../../../src/renderer/ui/behaviour/drawn-rows'

const range = { startIndex: 10, endIndex: 12, overscan: 1, count: 30 }

it('draws the rows near the screen, and those that are always drawn, in order and once', () => {
  expect(drawnRows(range, [2, 11, 29])).toEqual([2, 9, 10, 11, 12, 13, 29])
})

it('leaves out rows that do not exist', () => {
  expect(drawnRows(range, [undefined, -1, 30])).toEqual([9, 10, 11, 12, 13])
})
