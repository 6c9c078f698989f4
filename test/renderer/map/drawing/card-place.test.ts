import { describe, expect, it } from 'vitest'
import { cardPlace } from '../../../../src/renderer/map/drawing/card-place'

const card = { width: 300, height: 200 }
/** Where the label of a node is written: above its line, left of its end. */
const label = { above: 24, below: 20 }

describe('the card of a node', () => {
  const room = { width: 1000, height: 800 }

  it('is below the line, and above it where there is no room below', () => {
    expect(cardPlace({ x: 500, y: 100 }, card, room)).toEqual({ left: 472, top: 128 })
    expect(cardPlace({ x: 500, y: 700 }, card, room)).toEqual({ left: 472, top: 472 })
  })

  it('stays inside of the map', () => {
    expect(cardPlace({ x: 990, y: 100 }, card, room)).toEqual({ left: 692, top: 128 })
    expect(cardPlace({ x: 5, y: 100 }, card, room)).toEqual({ left: 8, top: 128 })
    expect(cardPlace({ x: 5, y: 5 }, card, { width: 200, height: 100 })).toEqual({
      left: 8,
      top: 8,
    })
  })

  it('is right of the end in a low map, so that it does not cover the label', () => {
    const low = { width: 1000, height: 300 }
    expect(cardPlace({ x: 200, y: 150 }, card, low)).toEqual({ left: 228, top: 50 })
  })

  it('covers neither label nor note wherever there is room beside them', () => {
    for (let y = 0; y <= room.height; y += 20) {
      const { top } = cardPlace({ x: 400, y }, card, room)
      expect(top >= y + label.below || top + card.height <= y - label.above).toBe(true)
    }
  })
})
