import { createHash } from 'node:crypto'
import { type EntryDraft, isAnchor } from '../../shared/model/entry'
import { wellFormed } from '../../shared/model/well-formed'

/**
 * Keys by which an entry is found elsewhere, whatever its id is there: its type and text, and what else is said of it where it
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

/** Writes JSON in which the order of keys says nothing, and its texts as a line has them: without halves of characters. */
function inOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'string') return wellFormed(inner)
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner
    const fields = Object.entries(inner).map(([key, field]) => [wellFormed(key), field] as const)
    return Object.fromEntries(fields.sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}
