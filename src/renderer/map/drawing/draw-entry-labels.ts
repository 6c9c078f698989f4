import { hasNotes, leastRoom, textRoom, textStyles } from './draw-labels'
import { strokePath } from './draw-lines'
import type { Drawing, DrawnLabel } from './drawing'
import { placesOf } from './places'

/** Most room of one label's word, in px, and the least in which it says something. */
const wordRoom = { most: 120, least: 24 } as const
/** Room of a pill beside its word, and between two. */
const aside = 22
const gap = 6

/** Draws the labels of entries: a dot where the entry is, and words under the line, beside its note. */
export function drawEntryLabels(drawing: Drawing, seen: readonly number[]): void {
  for (const at of seen) {
    const labels = drawing.painting.labels.get(at)
    if (labels === undefined) continue
    for (const label of labels) drawDot(drawing, at, label)
    if (drawing.detail === 2 && hasNotes(drawing)) drawPills(drawing, at, labels)
  }
}

/** Where the labelled entry is; the end of the line where nobody knows. */
function labelX({ scene, view }: Drawing, at: number, { message }: DrawnLabel): number {
  const x = message === undefined ? (scene.layout.x1[at] ?? 0) : scene.xOf(at, message)
  return x * view.kx + view.x
}

function drawDot(drawing: Drawing, at: number, label: DrawnLabel): void {
  const { context, theme, detail } = drawing
  const dot = new Path2D()
  const y = placesOf(drawing).yOf(at)
  dot.arc(labelX(drawing, at, label), y, detail === 2 ? 4.5 : 3.5, 0, 2 * Math.PI)
  context.fillStyle = theme.labels[label.color] ?? ''
  context.fill(dot)
  strokePath(context, dot, theme.page, 1.5)
}

function drawPills(drawing: Drawing, at: number, labels: readonly DrawnLabel[]): void {
  const { context, scene, theme, widths } = drawing
  const { from, until } = textRoom(drawing, at, false)
  const note = widths.fitted(scene.note(at), textStyles.note, until - from, leastRoom.note)
  let free = note === '' ? from : from + widths.widthOf(note, textStyles.note) + gap
  const y = placesOf(drawing).yOf(at)
  for (const label of labels) {
    const x = Math.max(free, Math.min(labelX(drawing, at, label) - 10, until - wordRoom.most))
    const room = Math.min(wordRoom.most, until - x - aside)
    const word = widths.fitted(label.word, textStyles.note, room, wordRoom.least)
    if (word === '') return
    const width = widths.widthOf(word, textStyles.note) + aside
    const pill = new Path2D()
    pill.roundRect(x, y + 7, width, 16, 8)
    context.fillStyle = theme.fill
    context.fill(pill)
    strokePath(context, pill, theme.border, 1)
    const dot = new Path2D()
    dot.arc(x + 9, y + 15, 3.5, 0, 2 * Math.PI)
    context.fillStyle = theme.labels[label.color] ?? ''
    context.fill(dot)
    context.font = `${textStyles.note} ${theme.font}`
    context.fillStyle = theme.texts[1]
    context.fillText(word, x + 16, y + 19)
    free = x + width + gap
  }
}
