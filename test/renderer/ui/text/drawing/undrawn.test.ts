import { describe, expect, it } from 'vitest'
import {
  distanceFromView,
  pieceInView,
  pieceOutOfView,
  undrawnOf,
} from '../../../../../src/renderer/ui/text/drawing/undrawn'

/** Ten blocks of 100 pixels each, from block 5 on. */
function stretchAt(top: number) {
  return { from: 5, to: 15, top, bottom: top + 1000, heights: Array.from({ length: 10 }, () => 3) }
}

describe('blocks that are not drawn', () => {
  it.each([
    [[], []],
    [[true, true], []],
    [[false, false], [{ from: 0, to: 2 }]],
    [
      [false, true, false, false, true],
      [
        { from: 0, to: 1 },
        { from: 2, to: 4 },
      ],
    ],
  ])('of %j are %j', (drawn, expected) => {
    expect(undrawnOf(drawn)).toEqual(expected)
  })
})

// 400 pixels are seen, and 100 more at each edge are drawn with them.
describe('what comes into view', () => {
  it.each([
    ['from below, what stands above it stays', 250, { from: 5, to: 8 }],
    ['from above, what stands below it stays', -750, { from: 11, to: 15 }],
    ['with nothing else in view, by its height', -300, { from: 7, to: 13 }],
  ])('%s', (_, top, expected) => {
    expect(pieceInView(stretchAt(top), 400, 0.25)).toEqual(expected)
  })

  it('is all of a stretch between two drawn blocks', () => {
    const stretch = { from: 2, to: 4, top: 150, bottom: 250, heights: [1, 1] }
    expect(pieceInView(stretch, 400, 0.25)).toEqual({ from: 2, to: 4 })
  })

  it.each([400, -1000])('is nothing of a stretch out of view, at %i', (top) => {
    expect(pieceInView(stretchAt(top), 400, 0.25)).toBeUndefined()
  })

  it('is a block at least, whatever its height was taken for', () => {
    const flat = { from: 3, to: 4, top: 10, bottom: 10.5, heights: [0] }
    expect(pieceInView(flat, 400, 0.25)).toEqual({ from: 3, to: 4 })
  })
})

describe('what is out of view', () => {
  it.each([
    ['below is drawn from its start', 700, { from: 5, to: 8 }],
    ['above is drawn from its end', -1700, { from: 12, to: 15 }],
  ])('%s, as much as is work for one piece', (_, top, expected) => {
    expect(pieceOutOfView(stretchAt(top), 400, () => 1000, 3500)).toEqual(expected)
  })

  it.each([
    [700, { from: 5, to: 6 }],
    [-1700, { from: 14, to: 15 }],
  ])('at %i is drawn by one block that is more work than a piece', (top, expected) => {
    expect(pieceOutOfView(stretchAt(top), 400, () => 9000, 3500)).toEqual(expected)
  })

  it('is as far away as its nearer end', () => {
    expect([700, -1700, 100].map((top) => distanceFromView(stretchAt(top), 400))).toEqual([
      300, 700, 0,
    ])
  })
})
