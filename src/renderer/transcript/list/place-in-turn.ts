import type { PlaceInTurn } from '../../state/transcript-state'
import { firstSeenChild, undrawnIn } from '../../ui/text/drawing/blocks-on-page'

/** Finds the first drawn block of a turn that is in view, in the innermost text. Reads the layout. */
export function textPlaceIn(turn: Element, top: number, bottom: number): PlaceInTurn | undefined {
  const texts = textsOf(turn)
  let found: PlaceInTurn | undefined
  for (const [number, text] of texts.entries()) {
    const box = text.getBoundingClientRect()
    if (box.bottom <= top || box.top >= bottom) continue
    const seen = firstSeenChild(text, top, bottom)
    if (seen === undefined) continue
    const { top: blockTop } = seen.getBoundingClientRect()
    const isWithin = found !== undefined && texts[found.text]?.contains(text) === true
    if (found === undefined || isWithin)
      found = { text: number, block: blockNumberOf(seen), at: blockTop - top }
  }
  return found
}

/** Finds the block at a place in a turn; undefined where it is not there, or not drawn. */
export function blockAt(turn: Element, place: PlaceInTurn): Element | undefined {
  const text = textsOf(turn)[place.text]
  if (text === undefined) return undefined
  let number = 0
  for (const child of text.children) {
    const undrawn = undrawnIn(child)
    if (undrawn !== undefined) number = undrawn.to
    else if (number === place.block) return child
    else number++
    if (number > place.block) return undefined
  }
  return undefined
}

function textsOf(turn: Element): readonly Element[] {
  return [...turn.querySelectorAll('[data-blocks]')]
}

function blockNumberOf(child: Element): number {
  let number = 0
  for (let before = child.previousElementSibling; before !== null; ) {
    const undrawn = undrawnIn(before)
    if (undrawn !== undefined) return number + undrawn.to
    number++
    before = before.previousElementSibling
  }
  return number
}
