import type { OutlineKind } from '../../state/landmarks/landmarks'
import { markPixels, type RulerMark } from './ruler-ticks'

/** Draws marks, a shape for each kind: a short line, two lines, a triangle, a dot in its label's colour. */
export function drawTicks(canvas: HTMLCanvasElement, marks: readonly RulerMark[]): void {
  const context = canvas.getContext('2d')
  if (context === null) return
  const { clientWidth: width, clientHeight: height } = canvas
  const ratio = window.devicePixelRatio
  canvas.width = Math.round(width * ratio)
  canvas.height = Math.round(height * ratio)
  context.scale(ratio, ratio)
  const colourOf = coloursOf(canvas)
  for (const { top, row } of marks) {
    context.fillStyle = colourOf(
      row.label === undefined ? `ruler-${row.kind}` : `label-${row.label.color}`,
    )
    shapes[row.kind](context, top, width)
  }
}

const shapes: Readonly<
  Record<OutlineKind, (context: CanvasRenderingContext2D, top: number, width: number) => void>
> = {
  prompt: (context, top, width) => context.fillRect(width / 2, top + 1, width / 2, 2),
  compaction(context, top, width) {
    context.fillRect(0, top, width, 1)
    context.fillRect(0, top + 3, width, 1)
  },
  error(context, top, width) {
    context.beginPath()
    context.moveTo(width / 2, top - 1)
    context.lineTo(width - 1, top + 5)
    context.lineTo(1, top + 5)
    context.fill()
  },
  label(context, top, width) {
    context.beginPath()
    context.arc(width / 2, top + markPixels / 2, 3, 0, 2 * Math.PI)
    context.fill()
  },
}

/** Reads the colour that a class has where the ruler is; each one at most once for a drawing. */
function coloursOf(canvas: HTMLCanvasElement): (className: string) => string {
  const known = new Map<string, string>()
  const probe = document.createElement('span')
  return (name) => {
    const found = known.get(name)
    if (found !== undefined) return found
    probe.className = `ruler-colour ${name}`
    canvas.parentElement?.append(probe)
    const { color } = getComputedStyle(probe)
    probe.remove()
    known.set(name, color)
    return color
  }
}
