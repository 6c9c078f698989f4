import type { LinePoint } from '../../state/transcript-state'
import { type ItemSourceLine, sourceLinesOf } from './items'
import type { ListItem } from './use-items'

/** Returns the index of the item that shows the entry, or else the line, at a place; -1 without one. */
export function indexOfLine(items: readonly ListItem[], place: LinePoint): number {
  const indexWhere = (isMeant: (line: ItemSourceLine) => boolean) =>
    items.findIndex(
      (item) =>
        item.type !== 'live' &&
        item.type !== 'unwritten' &&
        sourceLinesOf(item).some(
          (line) => line.offset === place.offset && line.file === place.file && isMeant(line),
        ),
    )
  const { entry } = place
  const found = entry === undefined ? -1 : indexWhere(({ id }) => id === entry)
  return found === -1 ? indexWhere(() => true) : found
}
