import { describe, expect, it } from 'vitest'
import {
  matchingRows,
  type OutlineRow,
  outlineRows,
  rowAt,
} from '../../../../src/renderer/transcript/outline/outline-rows'
import type { Landmark, NumberedPlace } from '../../../../src/shared/model/landmarks/landmarks'

const place = (number: number): NumberedPlace => ({
  number,
  file: 'f',
  offset: number,
  at: null,
  bytes: 0,
})
const landmark = (number: number, words: string, kind: Landmark['kind'] = 'prompt'): Landmark => ({
  ...place(number),
  kind,
  words,
})
const numbers = (rows: readonly OutlineRow[]) => rows.map((row) => [row.place.number, row.kind])

describe('the outline', () => {
  it('has labelled entries among the landmarks, once it is known where they are', () => {
    const label = (here: string) => ({ here, word: here, color: 'red' as const })
    const rows = outlineRows(
      [landmark(1, 'one'), landmark(5, 'five')],
      [label('later'), label('gone'), label('unknown'), label('five')],
      new Map([
        ['later', place(9)],
        ['gone', null],
        ['five', place(5)],
      ]),
    )
    expect(numbers(rows)).toEqual([
      [1, 'prompt'],
      [5, 'prompt'],
      [5, 'label'],
      [9, 'label'],
    ])
  })

  it('keeps what has every typed word, in any case and order, of the kinds that are on', () => {
    const rows = outlineRows(
      [landmark(1, 'The Tide table'), landmark(2, 'table'), landmark(3, 'tide table', 'error')],
      [],
      new Map(),
    )
    const kept = (typed: string, ...kinds: readonly ('prompt' | 'error')[]) =>
      matchingRows(rows, new Set(kinds), typed).map((row) => row.place.number)
    expect(kept('TABLE tide', 'prompt', 'error')).toEqual([1, 3])
    expect(kept('  table', 'prompt')).toEqual([1, 2])
    expect(kept('', 'error')).toEqual([3])
    expect(kept('ebb', 'prompt', 'error')).toEqual([])
  })

  it('knows the prompt that a reader is in', () => {
    const rows = outlineRows(
      [landmark(2, 'a'), landmark(5, 'b'), landmark(6, 'c', 'error')],
      [],
      new Map(),
    )
    expect([1, 2, 4, 5, 7, Number.POSITIVE_INFINITY].map((at) => rowAt(rows, at))).toEqual([
      -1, 0, 0, 1, 1, 1,
    ])
    const errors = matchingRows(rows, new Set(['error'] as const), '')
    expect([5, 6, 9].map((at) => rowAt(errors, at))).toEqual([-1, 0, 0])
  })
})
