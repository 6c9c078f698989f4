import { expect, it } from 'vitest'
import type { OutlineRow } from '../../../../src/renderer/transcript/outline/outline-rows'
import { markAt, placedTicks } from '../../../../src/renderer/transcript/outline/ruler-ticks'

const row = (number: number, bytes: number, kind: OutlineRow['kind'] = 'prompt'): OutlineRow => ({
  place: { number, file: 'f', offset: bytes, at: null, bytes },
  kind,
  words: `${number}`,
})

/** A conversation of 1,000 bytes of which those from 400 to 600 are loaded, a pixel for each byte. */
const middle = {
  totalPixels: 2000,
  above: 800,
  below: 800,
  bytesBefore: 400,
  bytesAfter: 400,
  totalBytes: 1000,
  topOf: ({ bytes }: { readonly bytes: number }) => (bytes === 450 ? 900 : undefined),
}

it('places marks where the scroll bar leads to their entries, also those that are not loaded', () => {
  const rows = [row(1, 0), row(2, 200), row(3, 450), row(4, 600), row(5, 800), row(6, 999)]
  expect(placedTicks(rows, middle, 500).map(({ top }) => top)).toEqual([0, 100, 225, 300, 400, 496])
})

it('leaves out what is loaded and not shown, and joins marks of a kind that lie on one another', () => {
  const rows = [row(1, 0), row(2, 1), row(3, 2, 'error'), row(4, 500), row(5, 800)]
  expect(placedTicks(rows, middle, 500).map(({ row: { place } }) => place.number)).toEqual([
    1, 5, 3,
  ])
})

it('takes the nearest mark to a press, and of several the one that is seen', () => {
  const marks = placedTicks([row(1, 0), row(2, 0, 'label'), row(3, 200)], middle, 500)
  expect(markAt(marks, 2)?.row.kind).toBe('label')
  expect(markAt(marks, 98)?.row.place.number).toBe(3)
  expect(markAt(marks, 50)).toBeUndefined()
})
