import { createHash } from 'node:crypto'
import { type EntryDraft, isAnchor } from '../../shared/model/entry'

/**
 * What an entry is found by elsewhere, whatever its id is there: its type and text, and what else is said of it where it
 * says more than chibi takes along when it writes its window anew.
 */
export interface WindowKeys {
  readonly said: string
  /** Undefined where it says no more. */
  readonly withDetails: string | undefined
}

/** chibi writes these in its window alone, or takes them along; the last two mark how a line was read, not what it holds. */
const noDetails: ReadonlySet<string> = new Set([
  'summary',
  'transcript_anchor_id',
  'hash',
  'recovered',
  'damaged',
])

/** Tells what an entry is found by. Takes time in proportion to its text and metadata. */
export function windowKeysOf(entry: EntryDraft): WindowKeys {
  const text = isAnchor(entry) ? String(entry.metadata?.summary ?? '') : entry.content
  const details = Object.entries(entry.metadata ?? {}).filter(([key]) => !noDetails.has(key))
  return {
    said: digest(`${entry.entry_type}\0${text}`),
    withDetails:
      details.length === 0
        ? undefined
        : digest(`${entry.entry_type}\0${text}\0${inOrder(Object.fromEntries(details))}`),
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** JSON in which the order of keys says nothing. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
