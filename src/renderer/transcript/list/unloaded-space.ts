import { firstRowsOfLines } from '../../../shared/model/conversation/transcript'
import { lineBytes, type PageRun } from '../../state/transcript-state'

/** Pixels for the parts of a transcript that are not loaded. */
export interface UnloadedSpace {
  readonly above: number
  readonly below: number
}

/**
 * Most pixels that stand for what is not loaded. Browsers lay out some 33 million device pixels, of which a display may have three for
 * one of ours.
 */
const mostPixels = 8_000_000
/** Longest line that tells how high lines are, in bytes: longer ones are folded. */
const tellingBytes = 16_384

/** Estimates the pixels for a byte from what is loaded and how high that is estimated to be. */
export function pixelsPerByte(
  { rows, totalBytes }: Pick<PageRun, 'rows' | 'totalBytes'>,
  loadedPixels: number,
): number {
  const bytes = firstRowsOfLines(rows).reduce(
    (sum, row) => sum + Math.min(tellingBytes, lineBytes(row)),
    0,
  )
  return Math.min(loadedPixels / Math.max(1, bytes), mostPixels / Math.max(1, totalBytes))
}

/** Returns the pixels above and below what is loaded; none at an end that is loaded. */
export function unloadedSpace(
  run: Pick<PageRun, 'pages' | 'atEnd' | 'bytesBefore' | 'bytesAfter'>,
  scale: number,
): UnloadedSpace {
  const isFromStart = run.pages[0]?.before === undefined
  return {
    above: isFromStart ? 0 : Math.round(scale * run.bytesBefore),
    below: run.atEnd ? 0 : Math.round(scale * run.bytesAfter),
  }
}

/** Part of a scroller that is seen, and where rows are in it, in pixels from its top. */
export interface SeenSpace {
  readonly top: number
  readonly height: number
  /** The whole height of what is scrolled. */
  readonly whole: number
  readonly space: UnloadedSpace
}

/** Place to load for a reader who scrolled to where nothing is loaded, in bytes of the transcript or at an end of it. */
export type WantedPlace = 'start' | 'end' | { readonly bytes: number }

/** Screens between a reader and the loaded rows up to which the next page is loaded, and not another place. */
const nearScreens = 4

/**
 * Finds the place that a reader scrolled to beyond what is loaded; undefined where rows are in view or near: then the next page leads on.
 *
 * The very top and bottom are the ends of the transcript, however wrong estimates are; far from the rows the thumb's last pixel is.
 */
export function wantedPlace(
  { top, height, whole, space }: SeenSpace,
  run: Pick<PageRun, 'rows' | 'bytesBefore' | 'bytesAfter' | 'totalBytes'>,
  scale: number,
): WantedPlace | undefined {
  const bottom = top + height
  const rowsEnd = whole - space.below
  if (space.above > 0 && top <= 1) return 'start'
  if (space.below > 0 && bottom >= whole - 1) return 'end'
  const reach = nearScreens * height
  // The thumb moves by whole pixels.
  const thumbPixel = whole / Math.max(1, height)
  if (bottom < space.above - reach)
    return top <= thumbPixel ? 'start' : { bytes: Math.min(run.bytesBefore, top / scale) }
  if (top <= rowsEnd + reach) return undefined
  if (bottom >= whole - thumbPixel) return 'end'
  return { bytes: run.totalBytes - run.bytesAfter + (top - rowsEnd) / scale }
}
