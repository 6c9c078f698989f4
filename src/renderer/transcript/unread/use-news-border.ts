import { useMemo } from 'react'
import { useTranscript, useUnread } from '../../state/context'
import type { ListItem } from '../items/use-items'
import { withNewsBorder } from './news-border'

/** Returns the items with a border before the first one that came while nobody looked, where that is loaded. O(items). */
export function useNewsBorder(items: readonly ListItem[]): readonly ListItem[] {
  const border = useUnread((state) => state.border)
  const key = useTranscript((state) => state.key)
  const rows = useTranscript(({ run }) => run.rows)
  return useMemo(
    () =>
      border === undefined || border.key !== key ? items : withNewsBorder(items, rows, border),
    [items, border, key, rows],
  )
}
