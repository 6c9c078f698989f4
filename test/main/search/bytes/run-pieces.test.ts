import { expect, it } from 'vitest'
import { piecesOf } from '../../../../src/main/search/bytes/run-pieces'

const all = 0xffff

/** A run from byte 1000 to 1500, behind 90 bytes of its segment, whose blocks have 100 bytes. */
const run = {
  file: 0,
  from: 1000,
  to: 1500,
  firstLine: 7,
  lines: 9,
  // Blocks 1, 2 and 4 begin in it; no line begins in block 3.
  marks: [20, 1, 130, 2, 350, 6],
  digest: '',
}

function pieces(
  [from, to, firstLine]: readonly [number, number, number],
  hazards: [number, number],
  blocks = all,
  askForSigns = true,
) {
  const range = { from, to, firstLine, hazards: 'any' as const, run, before: 90 }
  return piecesOf(range, { blockBytes: 100, hazards }, blocks, askForSigns).map(
    (piece) => [piece.from, piece.to, piece.firstLine, piece.hazards] as const,
  )
}

const whole = [1000, 1500, 7] as const

it('is one piece where nothing differs', () => {
  expect(pieces(whole, [0, 0])).toEqual([[1000, 1500, 7, 'none']])
  expect(pieces(whole, [0, 0b10110], all, false)).toEqual([[1000, 1500, 7, 'none']])
  expect(pieces(whole, [all, all])).toEqual([[1000, 1500, 7, 'any']])
})

it('is one piece where blocks follow each other, and hides what any of them does', () => {
  expect(pieces(whole, [0b100, 0b110])).toEqual([[1000, 1500, 7, 'any']])
  expect(pieces(whole, [0, 0b110])).toEqual([[1000, 1500, 7, 'signs']])
  expect(pieces(whole, [0b100, 0b110], 0b00011)).toEqual([[1000, 1130, 7, 'signs']])
  expect(pieces(whole, [0b100, 0b110], 0b10101)).toEqual([
    [1000, 1020, 7, 'none'],
    [1130, 1500, 9, 'any'],
  ])
})

it('has only blocks that are asked for', () => {
  expect(pieces(whole, [0, 0], 0b10001)).toEqual([
    [1000, 1020, 7, 'none'],
    [1350, 1500, 13, 'none'],
  ])
  expect(pieces(whole, [0, 0], 0b00110)).toEqual([[1020, 1350, 8, 'none']])
  expect(pieces(whole, [0, 0], 0b01000)).toEqual([])
})

it('keeps within the range, whose beginning is in the block of the line there', () => {
  expect(pieces([1040, 1340, 20], [0, 0], 0b00010)).toEqual([[1040, 1130, 20, 'none']])
  expect(pieces([1130, 1200, 20], [0, 0], 0b00100)).toEqual([[1130, 1200, 20, 'none']])
  expect(pieces([1400, 1500, 20], [0, 0], 0b01111)).toEqual([])
})

it('counts all that begins behind the last block to it', () => {
  const far = { ...run, to: 9000, marks: [1500, 2] }
  const range = {
    from: 1000,
    to: 9000,
    firstLine: 7,
    hazards: 'any' as const,
    run: far,
    before: 0,
  }
  const found = piecesOf(range, { blockBytes: 100, hazards: [0, 0] }, 1 << 15, true)
  expect(found.map(({ from, to, firstLine }) => [from, to, firstLine])).toEqual([[2500, 9000, 9]])
})
