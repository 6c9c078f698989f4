import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'

/**
 * Returns the rows of a virtual list to draw, in order: those near the screen, and `always`, wherever they are. The row with
 * the cursor is one of the latter, since a list names it to screen readers by its element; rows that do not exist are left out.
 */
export function drawnRows(range: Range, always: readonly (number | undefined)[]): number[] {
  const there = always.flatMap((index) =>
    index !== undefined && index >= 0 && index < range.count ? [index] : [],
  )
  return [...new Set([...there, ...defaultRangeExtractor(range)])].sort((a, b) => a - b)
}
