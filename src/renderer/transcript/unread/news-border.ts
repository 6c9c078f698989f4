import type { TranscriptRow } from '../../../shared/model/conversation/transcript'
import { indexOfSeen, type UnreadBorder } from '../../state/transcript-state'
import { type ItemSourceLine, sourceLinesOf } from '../items/items'
import type { ListItem } from '../items/use-items'

/**
 * Returns the items with the border before the first one that came as a whole after the row that was seen last; where there is none,
 * before the one that grew by what came. Without a border where that row is not loaded, or nothing that came is drawn. O(items).
 */
export function withNewsBorder(
  items: readonly ListItem[],
  rows: readonly TranscriptRow[],
  { after, sinceMs }: Pick<UnreadBorder, 'after' | 'sinceMs'>,
): readonly ListItem[] {
  const seen = indexOfSeen(rows, after)
  if (seen < 0) return items
  const isNew = new Set<unknown>(
    rows.slice(seen + 1).map((row) => (row.type === 'entry' ? row.entry : row.damaged)),
  )
  const whole = items.findIndex((item) => isNew.has(linesOf(item)[0]))
  const at =
    whole >= 0 ? whole : items.findIndex((item) => linesOf(item).some((line) => isNew.has(line)))
  if (at < 0) return items
  const before = items[at - 1]?.type === 'day' ? at - 1 : at
  // Another border is another row of the list, which tells anew when it is in view.
  const key = `news:${after.file}:${after.offset}:${after.entry ?? ''}`
  return [...items.slice(0, before), { type: 'news', key, sinceMs }, ...items.slice(before)]
}

function linesOf(item: ListItem): readonly ItemSourceLine[] {
  return item.type === 'live' || item.type === 'unwritten' ? [] : sourceLinesOf(item)
}

/** Tells whether the border is above the first item in view. Where it is not drawn, it is above rows that reach to the end. */
export function isNewsAbove(
  items: readonly ListItem[],
  firstInView: number,
  atEnd: boolean,
): boolean {
  const at = items.findIndex(({ type }) => type === 'news')
  return at < 0 ? atEnd : at < firstInView
}
