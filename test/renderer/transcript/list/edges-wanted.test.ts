import { expect, it } from 'vitest'
import { edgesWanted } from '../../../../src/renderer/transcript/list/edges-wanted'

const few = { first: 0, last: 19, items: 20, hasBefore: true, hasAfter: true }

it('loads pages at both ends until a list that has few items has many rows', () => {
  expect(edgesWanted({ ...few, rows: 4000 })).toEqual({ before: true, after: true })
  expect(edgesWanted({ ...few, rows: 4001 })).toEqual({ before: false, after: false })
})

it('keeps the rows that the reader is at, at the end and at the start of the conversation', () => {
  const none = { before: false, after: false }
  expect(edgesWanted({ ...few, rows: 5900, hasAfter: false })).toEqual(none)
  expect(edgesWanted({ ...few, rows: 5900, hasBefore: false })).toEqual(none)
})

it('loads the page at the end that the reader is near', () => {
  const many = { ...few, items: 3000, rows: 5900 }
  expect(edgesWanted({ ...many, last: 40 })).toEqual({ before: true, after: false })
  expect(edgesWanted({ ...many, first: 2960, last: 2999 })).toEqual({ before: false, after: true })
  expect(edgesWanted({ ...many, first: 1000, last: 1040 })).toEqual({ before: false, after: false })
})
