import { describe, expect, it } from 'vitest'
import {
  appendPage,
  appendRows,
  cursorAfter,
  cursorBefore,
  emptyRun,
  keptRows,
  prependPage,
  rowNear,
  startRun,
} from '../../../../src/renderer/state/transcript/pages'
import {
  Cursor,
  rowKey,
  type TranscriptPage,
} from '../../../../src/shared/model/conversation/transcript'
import { rowsOf, said } from '../../harness/rows'

const all = rowsOf(Array.from({ length: keptRows + 2000 }, (_, row) => said(`row ${row}`)))
const at = (index: number) => Cursor.parse(String(index))

function page(start: number, end: number): TranscriptPage {
  return {
    rows: all.slice(start, end),
    ...(start > 0 ? { before: at(start) } : {}),
    after: at(end),
    atEnd: end === all.length,
    totalBytes: all.length,
    bytesBefore: start,
  }
}

const end = all.length

describe('a run of pages', () => {
  it('knows the bytes after it, and the row that is at some bytes', () => {
    const lengths = all.map((row) => (row.type === 'entry' ? row.entry : row.damaged).length)
    const bytes = (from: number, to: number) =>
      lengths.slice(from, to).reduce((sum, length) => sum + length, 0)
    const total = { totalBytes: bytes(0, all.length) }
    const run = startRun({ ...page(100, 200), ...total, bytesBefore: bytes(0, 100) })
    expect(run.bytesAfter).toBe(bytes(200, all.length))
    expect(startRun({ ...page(end - 50, end), ...total }).bytesAfter).toBe(0)
    expect(rowNear(run, bytes(0, 150))).toBe(all[150])
    expect(rowNear(run, bytes(0, 150) + 1)).toBe(all[151])
    expect(rowNear(run, 0)).toBe(all[100])
    expect(rowNear(run, bytes(0, all.length))).toBe(all[199])
    expect(rowNear(emptyRun, 0)).toBeUndefined()
  })

  it('counts a line once that gives several entries', () => {
    const several = all.slice(0, 30).flatMap((row) => [row, row, row])
    const bytes = (count: number) =>
      all
        .slice(0, count)
        .reduce((sum, row) => sum + (row.type === 'entry' ? row.entry.length : 0), 0)
    const run = startRun({
      ...page(0, 0),
      rows: several.slice(30, 60),
      totalBytes: bytes(30),
      bytesBefore: bytes(10),
    })
    expect(run.bytesAfter).toBe(bytes(30) - bytes(20))
    expect(rowNear(run, bytes(14))).toBe(all[14])
    expect(rowNear(run, bytes(14) + 1)).toBe(all[15])
  })

  it('grows at both sides and keeps the order of the file', () => {
    const run = appendPage(prependPage(startRun(page(100, 200)), page(0, 100)), page(200, 250))
    expect(run.rows.map(rowKey)).toEqual(all.slice(0, 250).map(rowKey))
    expect([cursorBefore(run), cursorAfter(run), run.atEnd, run.bytesBefore]).toEqual([
      undefined,
      '250',
      false,
      0,
    ])
  })

  it('lets its far end go when it is long, and can read it again from there', () => {
    let run = startRun(page(end - 500, end))
    for (let start = end - 500; start > 0; start -= 500)
      run = prependPage(run, page(Math.max(0, start - 500), start))
    expect(run.rows.length).toBeLessThanOrEqual(keptRows)
    expect(run.rows[0]).toBe(all[0])
    expect(run.atEnd).toBe(false)
    const next = Number(cursorAfter(run))
    expect(appendPage(run, page(next, next + 10)).rows.at(-1)).toBe(all[next + 9])
  })

  it('lets its start go when it grows downwards, and knows that there is more before it', () => {
    let run = startRun(page(0, 500))
    for (let start = 500; start < end; start += 500) run = appendPage(run, page(start, start + 500))
    expect(run.rows.length).toBeLessThanOrEqual(keptRows)
    expect(run.rows.at(-1)).toBe(all.at(-1))
    expect(Number(cursorBefore(run))).toBe(end - run.rows.length)
  })
})

describe('rows that are told of as appended', () => {
  it('stand once, also when a page had them already', () => {
    const run = startRun(page(0, 10))
    const told = appendRows(run, all.slice(8, 12), at(12))
    expect(told.rows).toEqual(all.slice(0, 12))
    expect(appendRows(told, all.slice(10, 12), at(12))).toBe(told)
  })

  it('are the first ones of an empty transcript', () => {
    const run = appendRows(emptyRun, all.slice(0, 2), at(2))
    expect([run.rows, cursorAfter(run), cursorBefore(run)]).toEqual([
      all.slice(0, 2),
      '2',
      undefined,
    ])
  })

  it('take the place of an unfinished line that is finished now', () => {
    const torn = rowsOf([said('a'), { damaged: '{"id":', reason: 'not finished', torn: true }])
    const [first, unfinished] = torn
    if (first === undefined || unfinished?.type !== 'damaged') throw new Error('no torn row')
    const finished = rowsOf([said('a'), said('b')])[1]
    if (finished === undefined) throw new Error('no row')
    const run = startRun({ ...page(0, 0), rows: torn })
    const grown = appendRows(run, [finished], at(2))
    expect(grown.rows).toEqual([first, finished])
  })
})
