import { mapSizes } from '../../../shared/model/map/layout-shape'
import type { Drawing } from './drawing'
import { placesOf } from './places'

/** Order in which the colours of lanes are drawn: the open path lies on top. */
const coloursFromBelow = [0, 6, 5, 4, 3, 2, 1]

/** Draws the lines of all branches that are in view: one path a colour, and one for the times in which nothing was written. */
export function drawBranches(drawing: Drawing): void {
  const { context, scene, theme, detail } = drawing
  const lines = theme.lanes.map(() => new Path2D())
  const waits = new Path2D()
  for (const first of scene.branches) {
    if ((scene.layout.x0[first] ?? 0) > drawing.right) break
    const line = lines[scene.colours[first] ?? 0]
    if (line !== undefined && isInView(drawing, first)) addBranch(drawing, first, line, waits)
  }
  context.lineCap = detail > 0 ? 'round' : 'butt'
  context.lineJoin = 'round'
  if (detail > 0) {
    context.setLineDash([1, 4])
    strokePath(context, waits, theme.hover, 1)
  }
  for (const colour of coloursFromBelow) {
    const path = lines[colour]
    if (path === undefined) continue
    context.setLineDash(colour === 0 && detail > 0 ? [3, 4] : [])
    const width = colour === 1 ? 2.5 : detail > 0 ? 1.5 : 1
    strokePath(context, path, theme.lanes[colour] ?? '', width)
  }
  context.setLineDash([])
}

/** Draws the selected segment's line once more, wider; with heat its ring alone marks it. */
export function drawSelectedLine(drawing: Drawing): void {
  const { context, scene, theme, highlights, painting } = drawing
  if (painting.heat !== undefined) return
  const { selected, hovered } = highlights
  for (const segment of new Set([hovered, selected])) {
    if (segment === undefined || segment < 0) continue
    const { xAt, yOf } = placesOf(drawing)
    const line = new Path2D()
    line.moveTo(xAt(scene.layout.x0[segment] ?? 0), yOf(segment))
    line.lineTo(xAt(scene.layout.x1[segment] ?? 0), yOf(segment))
    context.globalAlpha = segment === selected ? 0.32 : 0.16
    context.lineCap = 'round'
    strokePath(context, line, theme.focus, segment === selected ? 9 : 7)
    context.globalAlpha = 1
  }
}

/** Strokes a path. */
export function strokePath(
  context: CanvasRenderingContext2D,
  path: Path2D,
  colour: string,
  width: number,
): void {
  context.strokeStyle = colour
  context.lineWidth = width
  context.stroke(path)
}

function isInView({ scene, left, topLane, bottomLane }: Drawing, first: number): boolean {
  const { layout, last, segments } = scene
  const end = layout.x1[last[first] ?? first] ?? 0
  const lane = layout.lane[first] ?? 0
  const from = layout.lane[Math.max(0, segments[first]?.parent ?? 0)] ?? 0
  return end >= left && Math.max(from, lane) >= topLane && Math.min(from, lane) <= bottomLane
}

/** The bend out of the fork, then a line to the branch's end; dotted while its next segment is not born yet. */
function addBranch(drawing: Drawing, first: number, line: Path2D, waits: Path2D): void {
  const { scene, view, detail } = drawing
  const { layout, segments, last } = scene
  const { xAt, yOf } = placesOf(drawing)
  const parent = segments[first]?.parent ?? -1
  const x = xAt(layout.x0[first] ?? 0)
  const y = yOf(first)
  line.moveTo(x, parent < 0 ? y : yOf(parent))
  let bent = x
  if (parent >= 0 && detail === 0) line.lineTo(x, y)
  else if (parent >= 0) {
    bent = x + mapSizes.bend * view.kx
    line.bezierCurveTo(x + 18 * view.kx, yOf(parent), x + 6 * view.kx, y, bent, y)
  }
  if (layout.axis.length === 0 || detail === 0) {
    line.lineTo(xAt(layout.x1[last[first] ?? first] ?? 0), y)
    return
  }
  for (let at = first; at >= 0; at = layout.next[at] ?? -1) {
    const from = at === first ? bent : xAt(layout.x0[at] ?? 0)
    const born = Math.max(from, xAt(layout.born[at] ?? 0))
    if (born > from + 2) {
      waits.moveTo(from, y)
      waits.lineTo(born, y)
      line.moveTo(born, y)
    }
    line.lineTo(xAt(layout.x1[at] ?? 0), y)
  }
}
