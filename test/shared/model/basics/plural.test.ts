import { expect, it } from 'vitest'
import { countWithNoun, plural } from '../../../../src/shared/model/basics/plural'

it('a count stands beside the form of its noun that goes with it', () => {
  expect([0, 1, 2, 12_000].map((count) => countWithNoun(count, 'line'))).toEqual([
    '0 lines',
    '1 line',
    '2 lines',
    '12,000 lines',
  ])
  expect([1, 2].map((count) => countWithNoun(count, 'entry', 'entries'))).toEqual([
    '1 entry',
    '2 entries',
  ])
})

it('a word without its count goes with it as well', () => {
  expect([0, 1, 2].map((count) => plural(count, 'needs', 'need'))).toEqual([
    'need',
    'needs',
    'need',
  ])
})
