import { rowKey, type TranscriptRow } from '../../../shared/model/conversation/transcript'

/**
 * Returns item keys for new rows that are entries of older ones, so that they keep their items though their file has
 * another name.
 */
export function keepShownKeys(
  older: readonly TranscriptRow[],
  newer: readonly TranscriptRow[],
  shownAs: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const keys = new Map<string, string | undefined>()
  for (const row of older) {
    if (row.type !== 'entry') continue
    const key = rowKey(row)
    // An id that occurs twice identifies no row.
    keys.set(row.entry.id, keys.has(row.entry.id) ? undefined : (shownAs.get(key) ?? key))
  }
  const kept = new Map<string, string>()
  for (const row of newer) {
    const shown = row.type === 'entry' ? keys.get(row.entry.id) : undefined
    if (shown !== undefined && shown !== rowKey(row)) kept.set(rowKey(row), shown)
  }
  return kept
}
