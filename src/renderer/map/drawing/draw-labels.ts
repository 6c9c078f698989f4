import { mapSizes } from '../../../shared/model/map/layout-shape'
import type { Drawing } from './drawing'
import { placesOf } from './places'

/** Weights and sizes of the map's texts. */
export const textStyles = {
  open: '600 12px',
  branch: '500 12px',
  note: '400 11px',
} as const

/** Least room for a text beside the line of a branch, and for its note: less of it says nothing. */
export const leastRoom = { label: 48, note: 96 } as const
/** Most branches that are named from afar. */
const mostNames = 24

/** Returns true where lanes are far enough apart for notes under their lines. */
export function hasNotes({ view }: Drawing): boolean {
  return view.ky * mapSizes.pitch >= 40
}

/** Returns where a text over or under the line of a segment begins and ends at most, in px of the canvas. */
export function textRoom(
  drawing: Drawing,
  at: number,
  isAbove: boolean,
): { readonly from: number; readonly until: number } {
  const { scene, view } = drawing
  const { xAt } = placesOf(drawing)
  const isFold = scene.segments[at]?.kind === 'fold'
  const beyond = (scene.layout.next[at] ?? -1) < 0 && !isFold ? 14 : -4
  // Where a stem leaves on this side, the text starts behind its bend.
  const isBent = (scene.last[at] ?? -1) >= 0 || ((scene.forks[at] ?? 0) & (isAbove ? 1 : 2)) > 0
  const indent = isBent && at > 0 ? mapSizes.bend * view.kx + 4 : 10
  // A line that begins left of the view has its texts at the view's edge.
  const from = Math.max(xAt(scene.layout.x0[at] ?? 0) + indent, 8)
  return { from, until: xAt(scene.layout.x1[at] ?? 0) + beyond }
}

/** Writes the labels of segments over their lines, and notes under them. */
export function drawLabels(drawing: Drawing, seen: readonly number[]): void {
  const { context, scene, theme, widths } = drawing
  const { yOf } = placesOf(drawing)
  const areNotesShown = hasNotes(drawing)
  for (const at of seen) {
    const segment = scene.segments[at]
    const isOpen = scene.colours[at] === 1
    const isFold = segment?.kind === 'fold'
    const write = (text: string, isAbove: boolean, style: string, colour: string) => {
      const { from, until } = textRoom(drawing, at, isAbove)
      const least = isAbove ? leastRoom.label : leastRoom.note
      const fitted = widths.fitted(text, style, until - from, least)
      if (fitted === '') return
      context.font = `${style} ${theme.font}`
      context.fillStyle = colour
      context.fillText(fitted, from, yOf(at) + (isAbove ? -10 : 18))
    }
    const [open, branch, note] = theme.texts
    if (!isFold)
      write(
        scene.labels[at] ?? '',
        true,
        isOpen ? textStyles.open : textStyles.branch,
        isOpen ? open : branch,
      )
    if (areNotesShown) write(scene.note(at), false, textStyles.note, note)
  }
}

/** Writes the names of the largest branches in view, where there is room: for a map that is seen from afar. */
export function drawLargest(drawing: Drawing): void {
  const { context, scene, size, theme, widths } = drawing
  const { xAt, yOf } = placesOf(drawing)
  const taken: (readonly [x: number, y: number, end: number])[] = []
  for (const at of scene.largest) {
    if (taken.length === mostNames) return
    if (scene.segments[at]?.kind === 'fold') continue
    const x = Math.max(8, xAt(scene.layout.x0[at] ?? 0) + 6)
    const y = yOf(at) - 6
    if (x > size.width || y < 12 || y > size.height) continue
    const style = scene.colours[at] === 1 ? textStyles.open : textStyles.branch
    const text = widths.fitted(scene.labels[at] ?? '', style, mapSizes.label, 0)
    const end = x + widths.widthOf(text, style) + 12
    const isInTheWay = taken.some(([a, b, c]) => x < c && a < end && Math.abs(y - b) < 18)
    if (text === '' || end > size.width || isInTheWay) continue
    taken.push([x, y, end])
    context.font = `${style} ${theme.font}`
    context.lineWidth = 3
    context.lineJoin = 'round'
    context.strokeStyle = theme.page
    context.fillStyle = scene.colours[at] === 1 ? theme.texts[0] : theme.texts[1]
    context.strokeText(text, x, y)
    context.fillText(text, x, y)
  }
}
