import type { FindAnswer } from '../../../shared/model/find/find'

/** Height of a mark in pixels; marks nearer than that are drawn as one. */
export const tickPixels = 3

/**
 * Places marks over a length: a top in whole pixels for each row with matches, ascending, no two nearer than a mark is high. As many
 * as there are pixels at most, however many rows match.
 *
 * @param topOf where a row is, from 0 to 1, if that is known; else by its number among all rows
 */
export function rulerTops(
  { rows, size }: Pick<FindAnswer, 'rows' | 'size'>,
  pixels: number,
  topOf: (row: number) => number | undefined,
): readonly number[] {
  const tops = new Set(rows.map((row) => rulerTop(row, size, pixels, topOf)))
  const sorted = [...tops].sort((a, b) => a - b)
  let last = Number.NEGATIVE_INFINITY
  return sorted.filter((top) => {
    if (top - last < tickPixels) return false
    last = top
    return true
  })
}

/** Places the mark of one row, as `rulerTops` does. */
export function rulerTop(
  row: number,
  size: number,
  pixels: number,
  topOf: (row: number) => number | undefined,
): number {
  const part = topOf(row) ?? row / Math.max(1, size)
  return Math.max(0, Math.min(Math.round(part * pixels), pixels - tickPixels))
}
