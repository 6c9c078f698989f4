import { mapSizes } from '../../../shared/model/map/layout-shape'
import type { Drawing } from './drawing'

/** Functions from the layout to the canvas. */
export interface Places {
  xAt(x: number): number
  /** The line of a segment, on whole pixels of the screen. */
  yOf(segment: number): number
}

/** Returns how places of the layout become places of the canvas. */
export function placesOf({ scene, view, ratio }: Drawing): Places {
  const { lane } = scene.layout
  const { x, y, kx, ky } = view
  return {
    xAt: (at) => at * kx + x,
    yOf: (segment) =>
      (Math.round(((lane[segment] ?? 0) * mapSizes.pitch * ky + y) * ratio - 0.5) + 0.5) / ratio,
  }
}
