import { formatShortCount } from '../../models/model-labels'
import { drawEntryLabels } from './draw-entry-labels'
import { drawLabels } from './draw-labels'
import { strokePath } from './draw-lines'
import { drawNodes } from './draw-nodes'
import type { Drawing, DrawnHits } from './drawing'
import { placesOf } from './places'

/** Least distance between two marks along a line, in px. */
const markDistance = 6

/** Dims what has no hit, and draws nodes with hits over it: their lines, where the hits are, and how many. */
export function drawHits(drawing: Drawing, seen: readonly number[]): void {
  const { hits } = drawing.painting
  if (hits === undefined) return
  drawVeil(drawing)
  const found = seen.filter((at) => (hits.ofSegment[at] ?? 0) > 0)
  drawFoundLines(drawing, found)
  if (drawing.detail > 0) drawNodes(drawing, found)
  if (drawing.detail === 2) drawLabels(drawing, found)
  if (drawing.detail > 0) drawEntryLabels(drawing, found)
  if (drawing.detail === 2) for (const at of found) drawHitMarks(drawing, hits, at)
  drawSelected(drawing, hits)
  for (const at of found) drawNumber(drawing, at, hits.ofSegment[at] ?? 0)
  drawCurrent(drawing, hits)
}

function drawVeil({ context, size, theme }: Drawing): void {
  context.globalAlpha = theme.veil
  context.fillStyle = theme.page
  context.fillRect(0, 0, size.width, size.height)
  context.globalAlpha = 1
}

/** The ring of a selected node without a hit is not dimmed. */
function drawSelected(drawing: Drawing, hits: DrawnHits): void {
  const { context, scene, theme, highlights, detail } = drawing
  const { selected } = highlights
  if (selected === undefined || detail === 0 || (hits.ofSegment[selected] ?? 0) > 0) return
  const { xAt, yOf } = placesOf(drawing)
  const ring = new Path2D()
  ring.arc(xAt(scene.layout.x1[selected] ?? 0), yOf(selected), detail + 7, 0, 2 * Math.PI)
  strokePath(context, ring, theme.focus, 2)
}

function drawFoundLines(drawing: Drawing, found: readonly number[]): void {
  const { context, scene, theme, detail } = drawing
  const { xAt, yOf, startOf } = placesOf(drawing)
  const lines = theme.lanes.map(() => new Path2D())
  for (const at of found) {
    const line = lines[scene.colours[at] ?? 0]
    line?.moveTo(startOf(at), yOf(at))
    line?.lineTo(xAt(scene.layout.x1[at] ?? 0), yOf(at))
  }
  context.lineCap = 'butt'
  lines.forEach((line, colour) => {
    strokePath(context, line, theme.lanes[colour] ?? '', detail > 0 ? 3 : 2)
  })
}

function drawHitMarks(drawing: Drawing, hits: DrawnHits, at: number): void {
  const { context, scene, theme } = drawing
  const { xAt, yOf } = placesOf(drawing)
  const marks = new Path2D()
  let before = Number.NEGATIVE_INFINITY
  for (const message of hits.messagesOf(at)) {
    const x = xAt(scene.xOf(at, message))
    if (x - before < markDistance) continue
    before = x
    marks.moveTo(x, yOf(at) - 6)
    marks.lineTo(x, yOf(at) + 6)
  }
  context.lineCap = 'round'
  // The dark edge is seen on every page.
  strokePath(context, marks, theme.onMark, 4.5)
  strokePath(context, marks, theme.mark, 2.5)
}

/** The number of hits at the end of a segment; from afar a dot. */
function drawNumber(drawing: Drawing, at: number, count: number): void {
  const { context, scene, theme, widths, detail } = drawing
  const { xAt, yOf } = placesOf(drawing)
  const [x, y] = [xAt(scene.layout.x1[at] ?? 0), yOf(at)]
  const style = '600 11px'
  const text = formatShortCount(count)
  const width = detail === 0 ? 7 : Math.max(18, widths.widthOf(text, style) + 10)
  const height = detail === 0 ? 7 : 18
  const pill = new Path2D()
  pill.roundRect(x - width / 2, y - height / 2, width, height, height / 2)
  context.fillStyle = theme.mark
  context.fill(pill)
  strokePath(context, pill, theme.onMark, 1)
  if (at === drawing.highlights.selected) {
    const ring = new Path2D()
    ring.roundRect(x - width / 2 - 4, y - height / 2 - 4, width + 8, height + 8, height / 2 + 4)
    strokePath(context, ring, theme.focus, 2)
  }
  if (detail === 0) return
  context.font = `${style} ${theme.font}`
  context.textAlign = 'center'
  context.fillStyle = theme.onMark
  context.fillText(text, x, y + 4)
  context.textAlign = 'left'
}

/** A ring around the hit that was reached last. */
function drawCurrent(drawing: Drawing, { current }: DrawnHits): void {
  const { context, scene, theme, detail } = drawing
  if (current === undefined || detail === 0) return
  const { xAt, yOf } = placesOf(drawing)
  const ring = new Path2D()
  const { segment, message } = current
  const end = scene.layout.x1[segment] ?? 0
  const x = xAt(message === undefined ? end : scene.xOf(segment, message))
  ring.arc(x, yOf(segment), 10, 0, 2 * Math.PI)
  strokePath(context, ring, theme.page, 5)
  strokePath(context, ring, theme.focus, 2.5)
}
