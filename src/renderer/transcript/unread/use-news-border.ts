import { useMemo } from 'react'
import { useTranscript, useUnread } from '../../state/context'
import { indexOfSeen } from '../../state/transcript-state'
import { sourceLinesOf } from '../items/items'
import type { ListItem } from '../items/use-items'

/** Returns the items with a border before the first one that came while nobody looked, where that is loaded. O(items). */
export function useNewsBorder(items: readonly ListItem[]): readonly ListItem[] {
  const border = useUnread((state) => state.border)
  const key = useTranscript((state) => state.key)
  const rows = useTranscript(({ run }) => run.rows)
  return useMemo(() => {
    if (border === undefined || border.key !== key) return items
    const seen = indexOfSeen(rows, border.after)
    if (seen < 0) return items
    const isNew = new Set<unknown>(
      rows.slice(seen + 1).map((row) => (row.type === 'entry' ? row.entry : row.damaged)),
    )
    // An item that was there before may have grown by a result: the border is before the first that is new as a whole.
    const at = items.findIndex((item) => {
      if (item.type === 'live' || item.type === 'unwritten') return false
      const [line] = sourceLinesOf(item)
      return isNew.has(line)
    })
    if (at < 0) return items
    const before = items[at - 1]?.type === 'day' ? at - 1 : at
    const news = { type: 'news', key: 'news', sinceMs: border.sinceMs } as const
    return [...items.slice(0, before), news, ...items.slice(before)]
  }, [items, border, key, rows])
}
