import { sourceLabel } from '../../../shared/model/conversation/sources'
import { formatCount } from '../../ui/format/format'
import { strokePath } from './draw-lines'
import type { Drawing } from './drawing'
import { placesOf } from './places'

/** Least distance between two marks along a line, in px: of messages that are nearer, the first is marked. */
const markDistance = 5

/** Draws the knots of segments, and what is marked along their lines. */
export function drawNodes(drawing: Drawing, seen: readonly number[]): void {
  const { context, scene, theme, detail } = drawing
  const { xAt, yOf } = placesOf(drawing)
  const radius = detail + 3
  for (const at of seen) {
    const segment = scene.segments[at]
    const colour = theme.lanes[scene.colours[at] ?? 0] ?? ''
    const end = xAt(scene.layout.x1[at] ?? 0)
    const y = yOf(at)
    if (detail === 2) drawTicks(drawing, at, colour)
    if (at === 0) drawKnot(context, [xAt(scene.layout.x0[0] ?? 0), y, radius], colour, colour)
    if (segment?.kind === 'fold') drawFold(drawing, at, [end, y])
    else if (at === scene.open) drawKnot(context, [end, y, radius], colour, colour)
    else if ((scene.layout.next[at] ?? -1) < 0)
      drawKnot(context, [end, y, radius], theme.page, colour)
    else drawKnot(context, [end, y, radius - 0.5], colour, theme.page)
    if (at === drawing.highlights.selected)
      drawKnot(context, [end, y, radius + 4], 'transparent', theme.focus, 2)
  }
}

/** Marks a person's messages by ticks, failures by red ones, compactions by two bars. */
function drawTicks(drawing: Drawing, at: number, colour: string): void {
  const { context, scene, theme } = drawing
  const marks = scene.marks(at)
  if (marks === undefined) return
  const { xAt, yOf } = placesOf(drawing)
  const y = yOf(at)
  const end = xAt(scene.layout.x1[at] ?? 0) - 8
  const ticks = (messages: readonly number[], height: number, gap: number) => {
    const path = new Path2D()
    let before = Number.NEGATIVE_INFINITY
    for (const message of messages) {
      const x = xAt(scene.xOf(at, message))
      if (x - before < gap || x > end || x < drawing.left * drawing.view.kx + drawing.view.x)
        continue
      before = x
      path.rect(x, y - height / 2, 0, height)
    }
    return path
  }
  context.lineCap = 'butt'
  strokePath(context, ticks(marks.ownWords, 7, markDistance), colour, 1.5)
  strokePath(context, ticks(marks.failures, 9, markDistance), theme.failure, 2)
  const bars = new Path2D()
  for (const message of marks.compactions) {
    const x = xAt(scene.xOf(at, message))
    bars.rect(x - 3, y - 8, 0, 16)
    bars.rect(x + 3, y - 8, 0, 16)
  }
  strokePath(context, bars, colour, 1.5)
}

/** Draws a fold as a pill with the number of its branches, like cards on top of each other. */
function drawFold(
  { context, scene, theme, widths }: Drawing,
  at: number,
  [x, y]: [number, number],
) {
  const text = `+${formatCount(scene.segments[at]?.folded ?? 0)}`
  const style = '600 11px'
  const width = widths.widthOf(text, style) + 14
  for (const back of [4, 0]) {
    const pill = new Path2D()
    pill.roundRect(x - 10 + back, y - 10 - back / 2, width, 20, 6)
    context.fillStyle = theme.fill
    context.fill(pill)
    strokePath(context, pill, theme.lanes[scene.colours[at] ?? 0] ?? '', 1.5)
  }
  context.font = `${style} ${theme.font}`
  context.textBaseline = 'middle'
  context.fillStyle = theme.texts[1]
  context.fillText(text, x - 3, y + 0.5)
  context.textBaseline = 'alphabetic'
}

/** Draws where another system's file goes on: a dotted line with both names, at the top for the open path. */
export function drawBorders(drawing: Drawing): void {
  const { context, scene, theme, size, detail } = drawing
  const { xAt, yOf } = placesOf(drawing)
  if (detail === 0) return
  context.font = `400 11px ${theme.font}`
  context.fillStyle = theme.texts[2]
  for (const at of scene.borders) {
    const parent = scene.segments[at]?.parent ?? -1
    const x = Math.round(xAt(scene.layout.x0[at] ?? 0)) + 0.5
    if (x < -200 || x > size.width + 200) continue
    const isOnTrunk = scene.layout.lane[at] === 0 && scene.layout.lane[parent] === 0
    const [from, to] = isOnTrunk
      ? [24, size.height - 12]
      : [Math.min(yOf(at), yOf(parent)) - 14, Math.max(yOf(at), yOf(parent)) + 14]
    const line = new Path2D()
    line.moveTo(x, from)
    line.lineTo(x, to)
    context.setLineDash([2, 4])
    strokePath(context, line, theme.border, 1)
    context.setLineDash([])
    if (detail < 2 || !isOnTrunk) continue
    const name = (segment: number) =>
      sourceLabel(scene.map.nodes[scene.segments[segment]?.node ?? -1]?.source ?? '')
    context.textAlign = 'right'
    context.fillText(name(parent), x - 8, 34)
    context.textAlign = 'left'
    context.fillText(`continued in ${name(at)}`, x + 8, 34)
  }
}

/** Draws A at the open conversation and B at the node that it is compared with. */
export function drawBadges(drawing: Drawing): void {
  const { scene, highlights } = drawing
  const { marked } = highlights
  if (marked === undefined) return
  drawBadge(drawing, scene.open, 'A')
  drawBadge(drawing, marked, 'B')
}

function drawBadge(drawing: Drawing, at: number, letter: 'A' | 'B'): void {
  const { context, scene, theme } = drawing
  const { fill, text } = theme.sides[letter]
  const { xAt, yOf } = placesOf(drawing)
  // Beside the end of a branch; under a knot from which the line goes on.
  const isEnd = (scene.layout.next[at] ?? -1) < 0
  const x = xAt(scene.layout.x1[at] ?? 0) + (isEnd ? 12 : -16)
  const y = yOf(at) + (isEnd ? -10 : 8)
  const box = new Path2D()
  box.roundRect(x, y, 20, 20, 4)
  context.fillStyle = fill
  context.fill(box)
  context.font = `600 11px ${theme.font}`
  context.textAlign = 'center'
  context.fillStyle = text
  context.fillText(letter, x + 10, y + 14)
  context.textAlign = 'left'
}

function drawKnot(
  context: CanvasRenderingContext2D,
  [x, y, radius]: readonly [number, number, number],
  fill: string,
  line: string,
  width = 1.5,
): void {
  const circle = new Path2D()
  circle.arc(x, y, radius, 0, 2 * Math.PI)
  context.fillStyle = fill
  context.fill(circle)
  strokePath(context, circle, line, width)
}
