import { assertNever } from '../../../shared/model/basics/errors'
import type { ListItem } from '../items/use-items'

/** Estimates the height of an item before it is measured, in whole pixels; close enough for the scroll bar. */
export function estimatedHeight(
  item: ListItem | undefined,
  rem: number,
  paneWidth: number,
): number {
  return item === undefined ? 0 : Math.round(heightOf(item, rem, paneWidth))
}

/** Estimates the characters of a line of text in a pane, whose width is in pixels. */
export function charactersPerLine(rem: number, paneWidth: number): number {
  const column = Math.min(paneWidth, 47.5 * rem) - 6 * rem
  return Math.max(20, column / (0.46 * rem))
}

function heightOf(item: ListItem, rem: number, paneWidth: number): number {
  const perLine = charactersPerLine(rem, paneWidth)
  const lines = (text: string) => Math.ceil(text.length / perLine) + 0.6 * breaks(text)
  switch (item.type) {
    case 'day':
      return 1.75 * rem
    case 'news':
      return 2.25 * rem
    case 'user':
      return ((item.isHead ? 3.5 : 1.25) + 1.375 * lines(item.text) + extras(item)) * rem
    case 'agent':
      return ((item.isHead ? 2.5 : 0.5) + 1.375 * lines(item.text) + extras(item)) * rem
    case 'live':
      return (2.5 + 1.375 * lines(item.run.content)) * rem
    case 'tool':
      return (item.isHead ? 4.25 : 1.875) * rem
    case 'reasoning':
      return (item.isHead ? 4.25 : 1.875) * rem
    case 'seam':
      return (item.copies === undefined ? 2.25 : 4) * rem
    case 'damaged':
    case 'reaction':
      return 2.25 * rem
    case 'document':
      return (3.5 + 1.375 * lines(item.entry.content)) * rem
    case 'error':
    case 'unwritten':
      return 7 * rem
    case 'other':
      return (4 + 1.25 * Math.min(12, lines(item.entry.content))) * rem
    default:
      return assertNever(item)
  }
}

/** Height in rem of the player and of the lines with files and reactions. */
function extras({ entry, reactions }: Extract<ListItem, { type: 'user' | 'agent' }>): number {
  const { metadata } = entry
  const player = metadata?.speech === undefined && metadata?.audio === undefined ? 0 : 2
  return (
    player + (metadata?.attachments === undefined ? 0 : 2.25) + (reactions === undefined ? 0 : 1.75)
  )
}

/** Counts line feeds, 400 at most. */
function breaks(text: string): number {
  let found = 0
  for (let at = text.indexOf('\n'); at >= 0 && found < 400; at = text.indexOf('\n', at + 1)) found++
  return found
}
