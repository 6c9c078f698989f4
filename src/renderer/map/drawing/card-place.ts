/** Size in pixels of the window. */
interface Size {
  readonly width: number
  readonly height: number
}

/** Distance of a card from the line of its node: the note below the line and the label above it stay visible. */
const gap = 28
/** Least distance of a card from the edges of the map. */
const edge = 8

/**
 * Returns where the card of a node is put, beside the end of its line: below it, else above it, else right of it, else
 * where there is most room.
 */
export function cardPlace(
  end: { readonly x: number; readonly y: number },
  card: Size,
  room: Size,
): { readonly left: number; readonly top: number } {
  const left = within(end.x - gap, room.width - card.width)
  const below = end.y + gap
  const above = end.y - gap - card.height
  if (below + card.height <= room.height - edge) return { left, top: below }
  if (above >= edge) return { left, top: above }
  const middle = within(end.y - card.height / 2, room.height - card.height)
  if (end.x + gap + card.width <= room.width - edge) return { left: end.x + gap, top: middle }
  const isLow = end.y > room.height / 2
  return { left, top: within(isLow ? above : below, room.height - card.height) }
}

/** Keeps a place away from both edges; at the first edge where there is no room. */
function within(at: number, most: number): number {
  return Math.max(edge, Math.min(at, most - edge))
}
