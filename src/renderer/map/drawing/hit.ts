import { mapSizes } from '../../../shared/model/map/layout-shape'
import type { CameraView } from './camera'
import { firstEndingFrom, type MapScene } from './scene'

/** Farthest from a line that the pointer still is on it, in px. */
const reach = 22
/** A leaf is hit a little beyond its end, where its knot is. */
const knot = 8

/** Finds the segment under a point of the canvas; undefined where there is none. Logarithmic in the lane's segments. */
export function segmentAt(
  { layout, rows }: MapScene,
  view: CameraView,
  px: number,
  py: number,
): number | undefined {
  const { pitch } = mapSizes
  const lane = Math.round((py - view.y) / view.ky / pitch)
  const height = pitch * view.ky
  if (Math.abs(py - view.y - lane * height) > Math.min(reach, Math.max(height / 2, 4)))
    return undefined
  const row = rows[lane - layout.top] ?? []
  const found = row[firstEndingFrom(row, layout.x1, (px - view.x - knot) / view.kx)]
  if (found === undefined) return undefined
  return (layout.x0[found] ?? 0) * view.kx + view.x - knot <= px ? found : undefined
}

/** Returns the place of a segment's end, in px at 100 %: where its knot is. */
export function endOfSegment({ layout }: MapScene, segment: number): { x: number; y: number } {
  return { x: layout.x1[segment] ?? 0, y: (layout.lane[segment] ?? 0) * mapSizes.pitch }
}
