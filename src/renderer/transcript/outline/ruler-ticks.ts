import type { NumberedPlace } from '../../../shared/model/landmarks/landmarks'
import type { OutlineKind } from '../../state/landmarks/landmarks'
import type { OutlineRow } from './outline-rows'

/** Mark beside the scroll bar, for a row of the outline. */
export interface RulerMark {
  /** Pixels from the top of the ruler. */
  readonly top: number
  readonly row: OutlineRow
}

/** Length that a scroll bar stands for, and what of the conversation is where in it; in pixels and bytes. */
export interface ScrolledLength {
  readonly totalPixels: number
  /** Room for what is not loaded. */
  readonly above: number
  readonly below: number
  /** Bytes of what is not loaded before the rows and after them, and of the conversation. */
  readonly bytesBefore: number
  readonly bytesAfter: number
  readonly totalBytes: number
  /** Pixels above the turn of an entry that is loaded; undefined where no turn shows it. */
  topOf(place: NumberedPlace): number | undefined
}

/** Height of a mark in pixels. */
export const markPixels = 4
/** Marks of a kind that are nearer than that are drawn as one, in pixels: prompts are many, and are quiet. */
const joinedPixels: Readonly<Record<OutlineKind, number>> = {
  prompt: 8,
  compaction: markPixels,
  error: markPixels,
  label: markPixels,
}

/** Kinds in the order in which they are drawn: later ones lie over earlier ones, and are pressed first. */
const drawnKinds = [
  'prompt',
  'compaction',
  'error',
  'label',
] as const satisfies readonly OutlineKind[]

/**
 * Places marks where the scroll bar leads to their entries: as many of a kind as there is room for. Entries that are loaded and that no
 * turn shows have none. O(rows).
 *
 * @param height of the ruler, in pixels
 */
export function placedTicks(
  rows: readonly OutlineRow[],
  length: ScrolledLength,
  height: number,
): readonly RulerMark[] {
  const lastOf = new Map<OutlineKind, number>()
  const marks: RulerMark[] = []
  for (const row of rows) {
    const pixels = pixelsAbove(row.place, length)
    if (pixels === undefined) continue
    const part = pixels / Math.max(1, length.totalPixels)
    const top = Math.max(0, Math.min(Math.round(part * height), height - markPixels))
    const last = lastOf.get(row.kind)
    if (last !== undefined && Math.abs(top - last) < joinedPixels[row.kind]) continue
    lastOf.set(row.kind, top)
    marks.push({ top, row })
  }
  return marks.sort((a, b) => drawnKinds.indexOf(a.row.kind) - drawnKinds.indexOf(b.row.kind))
}

function pixelsAbove(place: NumberedPlace, length: ScrolledLength): number | undefined {
  const { totalPixels, above, below, bytesBefore, bytesAfter, totalBytes } = length
  if (place.bytes < bytesBefore && above > 0) return (place.bytes / bytesBefore) * above
  const after = place.bytes - (totalBytes - bytesAfter)
  if (after >= 0 && bytesAfter > 0)
    return totalPixels - below + (Math.min(after, bytesAfter) / bytesAfter) * below
  return length.topOf(place)
}

/** Pixels beside a mark that count as being at it. */
const nearPixels = 4

/** Finds the mark at a height of the ruler: the nearest one, of several the one that is drawn last. */
export function markAt(marks: readonly RulerMark[], y: number): RulerMark | undefined {
  let found: RulerMark | undefined
  let least = nearPixels + markPixels / 2
  for (const mark of marks) {
    const distance = Math.abs(mark.top + markPixels / 2 - y)
    if (distance <= least) {
      least = distance
      found = mark
    }
  }
  return found
}
