import type { PlaceInTurn } from '../../state/transcript-state'
import { blockNumberOf, drawnBlockOf, firstSeenChild } from '../../ui/text/drawing/blocks-on-page'

/** Finds the first drawn block of a turn that is in view, and the one within that where it has texts of its own. Reads the layout. */
export function textPlaceIn(turn: Element, top: number, bottom: number): PlaceInTurn | undefined {
  for (const [number, text] of outermostTextsOf(turn).entries()) {
    const box = text.getBoundingClientRect()
    if (box.bottom <= top || box.top >= bottom) continue
    const seen = firstSeenChild(text, top, bottom)
    if (seen === undefined) continue
    const { top: blockTop } = seen.getBoundingClientRect()
    const inner = textPlaceIn(seen, top, bottom)
    return {
      text: number,
      block: blockNumberOf(seen),
      at: blockTop - top,
      ...(inner === undefined ? {} : { inner }),
    }
  }
  return undefined
}

/**
 * Finds the top of a place in a turn on the screen, and where it was below the transcript's top: of its inner part, or of the rest where
 * that is not there. Undefined where the block is not there, or not drawn. Reads the layout.
 */
export function placedIn(
  turn: Element,
  place: PlaceInTurn,
): { readonly top: number; readonly at: number } | undefined {
  const text = outermostTextsOf(turn)[place.text]
  const block = text && drawnBlockOf(text, place.block)
  if (block === undefined) return undefined
  const inner = place.inner && placedIn(block, place.inner)
  return inner ?? { top: block.getBoundingClientRect().top, at: place.at }
}

/** Returns the texts that are in no other: how many are in those depends on what of them is drawn. */
function outermostTextsOf(around: Element): readonly Element[] {
  const texts: Element[] = []
  for (const text of around.querySelectorAll('[data-blocks]'))
    if (texts.at(-1)?.contains(text) !== true) texts.push(text)
  return texts
}
