import { shortDate } from '../../ui/format/format'
import { strokePath } from './draw-lines'
import type { Drawing } from './drawing'

/** Least distance between two dates, in px. */
const dateDistance = 76

/** Draws the days of a map by time: a faint line and the date where a day's first entry is. */
export function drawAxis({ context, scene, view, size, theme, left, right }: Drawing): void {
  if (scene.days.length === 0) return
  const nowMs = Date.now()
  context.font = `400 11px ${theme.font}`
  context.fillStyle = theme.texts[2]
  const lines = new Path2D()
  let writtenTo = Number.NEGATIVE_INFINITY
  for (const { ms, x } of scene.days) {
    const at = Math.round(x * view.kx + view.x) + 0.5
    if (x < left || x > right || at < writtenTo) continue
    lines.moveTo(at, 22)
    lines.lineTo(at, size.height)
    context.fillText(shortDate(ms, nowMs), at + 5, 16)
    writtenTo = at + dateDistance
  }
  context.setLineDash([2, 4])
  strokePath(context, lines, theme.border, 1)
  context.setLineDash([])
}
