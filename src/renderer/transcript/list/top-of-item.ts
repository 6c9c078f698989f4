import type { Virtualizer } from '@tanstack/react-virtual'

/** Returns the pixels above an item of a list, as measured or estimated; also where so far is not scrolled. Undefined for no item. */
export function topOfListItem(
  virtualizer: Pick<Virtualizer<HTMLDivElement, HTMLDivElement>, 'measurementsCache'>,
  index: number,
): number | undefined {
  return virtualizer.measurementsCache[index]?.start
}
