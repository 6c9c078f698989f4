import { mapSizes } from '../../../shared/model/map/layout-shape'
import { strokePath } from './draw-lines'
import type { Drawing } from './drawing'
import { placesOf } from './places'

/** Widths of the bands by step, in px: more is wider too, for eyes that see no colours. */
const widths = [0, 4, 7, 10, 13] as const
/** Part of the distance between lanes that a band takes at most. */
const mostOfLane = 0.7

/** Draws the heat of segments as bands under their lines. */
export function drawHeat(drawing: Drawing, seen: readonly number[]): void {
  const { context, scene, view, theme, painting } = drawing
  const { heat } = painting
  if (heat === undefined) return
  const { xAt, yOf, startOf } = placesOf(drawing)
  const bands = widths.map(() => new Path2D())
  for (const at of seen) {
    const band = bands[heat[at] ?? 0]
    const y = yOf(at)
    band?.moveTo(startOf(at), y)
    band?.lineTo(xAt(scene.layout.x1[at] ?? 0), y)
  }
  context.lineCap = 'butt'
  const most = mapSizes.pitch * view.ky * mostOfLane
  bands.forEach((band, step) => {
    if (step > 0)
      strokePath(context, band, theme.heat[step - 1] ?? '', Math.min(widths[step] ?? 0, most))
  })
}
