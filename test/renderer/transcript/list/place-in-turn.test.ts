import { describe, expect, it } from 'vitest'
import { placedIn, textPlaceIn } from '../../../../src/renderer/transcript/list/place-in-turn'
import { type Box, box } from './stacked-boxes'

describe('a place in a turn', () => {
  it('is the first block in view, and the one within it', () => {
    const { turn, scrollTo } = turnOf([box(100), box(0, [text([box(100), box(100)])]), box(900)])
    scrollTo(230)
    expect(textPlaceIn(turn, 0, 500)).toEqual({
      text: 0,
      block: 1,
      at: -130,
      inner: { text: 0, block: 1, at: -30 },
    })
  })

  it('is found again by its block where the text within that is gone', () => {
    const { turn, scrollTo } = turnOf([box(100), box(0, [text([box(100), box(100)])]), box(900)])
    scrollTo(230)
    const place = placeIn(turn)
    const other = turnOf([box(150), box(200), box(900)])
    expect(placedIn(other.turn, place)).toEqual({ top: 150, at: -130 })
  })

  it('is the same where texts above it that were not drawn are drawn', () => {
    const within = () => box(0, [text([box(40), box(60)])])
    const { turn, scrollTo } = turnOf([box(200, [], '0 2'), within(), box(900)])
    scrollTo(250)
    const place = placeIn(turn)
    const other = turnOf([within(), within(), within(), box(900)])
    expect(placedIn(other.turn, place)).toEqual({ top: 240, at: -10 })
  })

  it('is nowhere while its block is not drawn', () => {
    const { turn, scrollTo } = turnOf([box(100), box(100), box(900)])
    scrollTo(120)
    const place = placeIn(turn)
    expect(placedIn(turnOf([box(200, [], '0 2'), box(900)]).turn, place)).toBeUndefined()
  })
})

function placeIn(turn: Element) {
  const place = textPlaceIn(turn, 0, 500)
  if (place === undefined) throw new Error('nothing is in view')
  return place
}

function text(blocks: Box[]): Box {
  const made = box(0, blocks)
  made.isText = true
  return made
}

/** A turn of one text, which begins at the top of the screen until it is scrolled. */
function turnOf(blocks: Box[]) {
  let scrolled = 0
  const turn = box(0, [text(blocks)])
  turn.topOfRoot = () => -scrolled
  return {
    turn: turn as unknown as Element,
    scrollTo(top: number) {
      scrolled = top
    },
  }
}
