import { expect, it } from 'vitest'
import { pageOfRows } from '../../../../src/main/library/sources/page-of-rows'
import type { TranscriptRow } from '../../../../src/shared/model/conversation/transcript'

/** Rows of 10 bytes each. */
const rows = Array.from(
  { length: 20 },
  (_, at): TranscriptRow => ({
    type: 'damaged',
    damaged: { file: 'a', offset: at * 10, length: 10, line: at + 1, reason: '', bytes: '' },
  }),
)
const offsetsOf = (page: { readonly rows: readonly TranscriptRow[] }) =>
  page.rows.flatMap((row) => (row.type === 'damaged' ? row.damaged.offset : []))

it('has rows on both sides of a number of bytes', () => {
  const page = pageOfRows(rows, { near: 95 }, 4)
  expect(offsetsOf(page)).toEqual([80, 90, 100, 110])
  expect(page).toMatchObject({ bytesBefore: 80, totalBytes: 200, atEnd: false })
  expect(offsetsOf(pageOfRows(rows, { near: 0 }, 4))).toEqual([0, 10])
  expect(offsetsOf(pageOfRows(rows, { near: 10_000 }, 4))).toEqual([180, 190])
})

it('counts a line once that gives several rows', () => {
  const several = rows.flatMap((row) => [row, row, row])
  const page = pageOfRows(several, { near: 95 }, 6)
  expect(offsetsOf(page)).toEqual([90, 90, 90, 100, 100, 100])
  expect(page).toMatchObject({ bytesBefore: 90, totalBytes: 200 })
  // A page that begins within a line begins at its bytes.
  const within = pageOfRows(several, { near: 95 }, 2)
  expect(offsetsOf(within)).toEqual([90, 100])
  expect(within).toMatchObject({ bytesBefore: 90 })
  expect(pageOfRows(several, 'end', 4)).toMatchObject({ bytesBefore: 180 })
  expect(pageOfRows(several, { after: pageOfRows(several, 'end', 4).after }, 4)).toMatchObject({
    rows: [],
    bytesBefore: 200,
  })
})
