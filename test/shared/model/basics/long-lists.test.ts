import { expect, it } from 'vitest'
import { largestOf, pushAll, smallestOf } from '../../../../src/shared/model/basics/long-lists'

/** More than a call takes as arguments. */
const many = Array.from({ length: 400_000 }, (_, at) => at)

it('takes more values than a call takes arguments', () => {
  const list = [-1]
  pushAll(list, many)
  expect([list.length, list.at(-1)]).toEqual([400_001, 399_999])
  expect([smallestOf(many), largestOf(many)]).toEqual([0, 399_999])
})

it('is as Math is without a number', () => {
  expect([smallestOf([]), largestOf([])]).toEqual([Math.min(), Math.max()])
})
