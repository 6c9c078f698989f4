import { weightOf, weightOfValue } from '../../../shared/model/basics/weight'
import { callUserMessage, type Entry } from '../../../shared/model/conversation/entry'
import { withoutImageBytes } from '../../../shared/model/conversation/images'
import type { TranscriptRow } from '../../../shared/model/conversation/transcript'

/** Handing rows to another process copies them at once: of more than this, somebody waits. In characters. */
const mostOfPage = 8 * 1024 * 1024
const mostOfRow = 1024 * 1024
/** Bytes that a row has in any case, also the last of thousands. */
const leastOfRow = 2048
const longestName = 500

/**
 * Shortens the rows of a page for the app window: an entry far longer than a screen shows keeps its beginning, the
 * smaller fields of its metadata, and `wholeLength`. Images are named, without their bytes.
 */
export function rowsForWindow(rows: readonly TranscriptRow[]): TranscriptRow[] {
  let left = mostOfPage
  return rows.map((whole) => {
    const row = withoutBytes(whole)
    const allowed = Math.min(mostOfRow, Math.max(left, leastOfRow))
    const weight = weightOf(row, allowed)
    left -= Math.min(weight, allowed)
    if (weight <= allowed || row.type !== 'entry') return row
    return { type: 'entry', entry: shortened(row.entry, allowed) }
  })
}

/** Images come to the window by their addresses. */
function withoutBytes(row: TranscriptRow): TranscriptRow {
  if (row.type !== 'entry' || row.entry.metadata?.images === undefined) return row
  return { ...row, entry: { ...row.entry, metadata: withoutImageBytes(row.entry.metadata) } }
}

/** Shortens entries as `rowsForWindow` does. */
export function entriesForWindow(entries: readonly Entry[]): Entry[] {
  const rows = entries.map((entry) => ({ type: 'entry' as const, entry }))
  return rowsForWindow(rows).flatMap((row) => (row.type === 'entry' ? [row.entry] : []))
}

function shortened(entry: Entry, allowed: number): Entry {
  const { content, metadata = {} } = entry
  const said = callUserMessage(entry)?.words
  let left = allowed / 4
  const fields: Record<string, unknown> = {}
  for (const key in metadata) {
    const weight = weightOf(metadata[key], left) + key.length
    if (weight <= left) Object.defineProperty(fields, key, { ...own, value: metadata[key] })
    left -= weight <= left ? weight : weightOfValue
    if (left <= 0) break
  }
  return {
    ...entry,
    ...names(entry),
    content: said === undefined ? beginningOf(content, allowed / 2) : wordsAlone(said, allowed / 4),
    metadata: fields,
    wholeLength: content.length,
  }
}

/** Cuts what the model says by a call, which is its answer: half of the call's JSON would be no words. */
function wordsAlone(words: string, most: number): string {
  return JSON.stringify({ message: beginningOf(words, most) })
}

const own = { enumerable: true, configurable: true, writable: true }

function names({ id, from, to, entry_type, tool_call_id }: Entry): Partial<Entry> {
  return {
    id: beginningOf(id, longestName) as Entry['id'], // a brand alone, of any text
    from: beginningOf(from, longestName),
    to: beginningOf(to, longestName),
    entry_type: beginningOf(entry_type, longestName),
    ...(tool_call_id === undefined ? {} : { tool_call_id: beginningOf(tool_call_id, longestName) }),
  }
}

/** Without half of a pair at its end. */
function beginningOf(text: string, most: number): string {
  if (text.length <= most) return text
  const last = text.charCodeAt(most - 1)
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most)
}
