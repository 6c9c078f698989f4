import { rowKey, type TranscriptRow } from '../../../shared/model/conversation/transcript'

/** Rows that are the same entries as before keep the key under which they are on the screen, though their file has another name now. */
export function keepShownKeys(
  older: readonly TranscriptRow[],
  newer: readonly TranscriptRow[],
  shownAs: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const keys = new Map<string, string | undefined>()
  for (const row of older) {
    if (row.type !== 'entry') continue
    const key = rowKey(row)
    // An id that stands there twice tells nothing.
    keys.set(row.entry.id, keys.has(row.entry.id) ? undefined : (shownAs.get(key) ?? key))
  }
  const kept = new Map<string, string>()
  for (const row of newer) {
    const shown = row.type === 'entry' ? keys.get(row.entry.id) : undefined
    if (shown !== undefined && shown !== rowKey(row)) kept.set(rowKey(row), shown)
  }
  return kept
}
