import { mapSizes } from '../../../shared/model/map/layout-shape'
import type { Drawing } from './drawing'
import { lineStart } from './scene'

/** Functions from the layout to the canvas. */
export interface Places {
  xAt(x: number): number
  /** The line of a segment, on whole pixels of the screen. */
  yOf(segment: number): number
  /** Where the straight line of a segment begins: from afar its bend is drawn as a corner. */
  startOf(segment: number): number
}

/** Returns how places of the layout become places of the canvas. */
export function placesOf({ scene, view, ratio, detail }: Drawing): Places {
  const { lane, x0 } = scene.layout
  const { x, y, kx, ky } = view
  return {
    xAt: (at) => at * kx + x,
    yOf: (segment) =>
      (Math.round(((lane[segment] ?? 0) * mapSizes.pitch * ky + y) * ratio - 0.5) + 0.5) / ratio,
    startOf: (segment) => (detail === 0 ? (x0[segment] ?? 0) : lineStart(scene, segment)) * kx + x,
  }
}
