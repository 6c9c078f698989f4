import { mapSizes } from '../../../shared/model/map/layout-shape'
import { drawAxis } from './draw-axis'
import { drawEntryLabels } from './draw-entry-labels'
import { drawHeat } from './draw-heat'
import { drawHits } from './draw-hits'
import { drawLabels, drawLargest } from './draw-labels'
import { drawBranches, drawSelectedLine } from './draw-lines'
import { drawBadges, drawBorders, drawNodes } from './draw-nodes'
import type { Drawing } from './drawing'
import { firstEndingFrom, type MapScene } from './scene'

/** Draws what is in view. In time with what is seen, but for the lines of branches, which are all looked at. */
export function drawMap(
  given: Omit<Drawing, 'detail' | 'left' | 'right' | 'topLane' | 'bottomLane'>,
): void {
  const { context, scene, view, size, ratio, theme } = given
  const { kx, ky } = view
  const least = Math.min(kx, ky)
  const drawing: Drawing = {
    ...given,
    detail: least >= 0.6 ? 2 : least >= 0.2 ? 1 : 0,
    left: -view.x / kx,
    right: (size.width - view.x) / kx,
    topLane: -view.y / ky / mapSizes.pitch - 0.5,
    bottomLane: (size.height - view.y) / ky / mapSizes.pitch + 0.5,
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.fillStyle = theme.page
  context.fillRect(0, 0, size.width, size.height)
  const { hits, heat } = drawing.painting
  const isLooked = drawing.detail > 0 || hits !== undefined || heat !== undefined
  const seen = isLooked ? segmentsInView(scene, drawing) : []
  drawAxis(drawing)
  drawBorders(drawing)
  drawHeat(drawing, seen)
  drawBranches(drawing)
  drawSelectedLine(drawing)
  if (drawing.detail < 2) drawLargest(drawing)
  if (drawing.detail > 0) {
    drawNodes(drawing, seen)
    if (drawing.detail === 2) drawLabels(drawing, seen)
    drawEntryLabels(drawing, seen)
  }
  drawHits(drawing, seen)
  drawBadges(drawing)
}

function segmentsInView(
  { rows, layout }: MapScene,
  { left, right, topLane, bottomLane }: Drawing,
): readonly number[] {
  const seen: number[] = []
  const from = Math.max(layout.top, Math.ceil(topLane))
  const to = Math.min(layout.bottom, Math.floor(bottomLane))
  for (let lane = from; lane <= to; lane++) {
    const row = rows[lane - layout.top] ?? []
    for (let at = firstEndingFrom(row, layout.x1, left - 200); at < row.length; at++) {
      const segment = row[at] ?? 0
      if ((layout.x0[segment] ?? 0) > right) break
      seen.push(segment)
    }
  }
  return seen
}
