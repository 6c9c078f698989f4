import { expect, it } from 'vitest'
import { startRun } from '../../../../src/renderer/state/transcript/pages'
import {
  pixelsPerByte,
  unloadedSpace,
  wantedPlace,
} from '../../../../src/renderer/transcript/list/unloaded-space'
import { Cursor, type TranscriptRow } from '../../../../src/shared/model/conversation/transcript'
import { rowsOf, said } from '../../harness/rows'

const cursor = Cursor.parse('1')

/** A run of ten rows of 100 bytes each within 100,000 bytes. */
function runAt(bytesBefore: number, atEnd = false) {
  const rows = rowsOf(Array.from({ length: 10 }, (_, at) => said(`row ${at}`))).map(
    (row): TranscriptRow =>
      row.type === 'entry' ? { ...row, entry: { ...row.entry, length: 100 } } : row,
  )
  const before = bytesBefore === 0 ? {} : { before: cursor }
  return startRun({ rows, ...before, after: cursor, atEnd, totalBytes: 100_000, bytesBefore })
}

it('has room for what is not loaded in proportion to its bytes, and none at an end that is loaded', () => {
  expect(pixelsPerByte(runAt(40_000), 500)).toBe(0.5)
  expect(unloadedSpace(runAt(40_000), 0.5)).toEqual({ above: 20_000, below: 29_500 })
  expect(unloadedSpace(runAt(0), 0.5)).toEqual({ above: 0, below: 49_500 })
  expect(unloadedSpace(runAt(99_000, true), 0.5)).toEqual({ above: 49_500, below: 0 })
})

it('takes as little for a byte whether a line gives one entry or several', () => {
  const run = runAt(40_000)
  const rows = run.rows.flatMap((row) => [row, row])
  expect(pixelsPerByte({ ...run, rows }, 500)).toBe(0.5)
})

it('never takes more pixels than a browser lays out', () => {
  const run = { ...runAt(40_000), totalBytes: 10_000_000_000 }
  expect(pixelsPerByte(run, 500) * run.totalBytes).toBeLessThanOrEqual(8_000_000)
})

it('counts a very long line as little of what tells the height: it is folded', () => {
  const run = runAt(40_000)
  const rows = run.rows.map((row, at) =>
    at === 0 && row.type === 'entry'
      ? { ...row, entry: { ...row.entry, length: 50_000_000 } }
      : row,
  )
  expect(pixelsPerByte({ ...run, rows }, 500)).toBeGreaterThan(0.02)
})

/** 20,000 pixels above, 1,000 of rows, 29,000 below. */
const space = { above: 20_000, below: 29_000 }
const seen = (top: number) => ({ top, height: 500, whole: 50_000, space })
const run = runAt(40_000)

it('leads to the bytes that a reader scrolled to beyond what is loaded', () => {
  expect(wantedPlace(seen(10_000), run, 0.5)).toEqual({ bytes: 20_000 })
  expect(wantedPlace(seen(35_500), run, 0.5)).toEqual({ bytes: 41_000 + 29_000 })
})

it('leaves it to the next page where rows are in view or near', () => {
  for (const top of [20_200, 19_600, 18_000, 21_100, 22_900])
    expect({ top, place: wantedPlace(seen(top), run, 0.5) }).toEqual({ top, place: undefined })
})

it('takes the very top and bottom for the ends, unless these are loaded', () => {
  expect(wantedPlace(seen(0), run, 0.5)).toBe('start')
  expect(wantedPlace(seen(49_500), run, 0.5)).toBe('end')
  for (const [top, place] of [
    [99, 'start'],
    [49_401, 'end'],
  ] as const)
    expect(wantedPlace(seen(top), run, 0.5)).toBe(place)
  const whole = { top: 0, height: 500, whole: 1000, space: { above: 0, below: 0 } }
  expect(wantedPlace(whole, run, 0.5)).toBeUndefined()
  expect(wantedPlace({ ...whole, top: 500 }, run, 0.5)).toBeUndefined()
})
