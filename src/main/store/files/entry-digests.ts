import { createHash } from 'node:crypto'
import { wellFormed } from '../../../shared/model/basics/well-formed'
import { type EntryDraft, isAnchor } from '../../../shared/model/conversation/entry'
import { writeJson } from '../../disk/json/json-write'
import { type Sliced, sliceBytes } from '../../disk/pacing/slices'

/**
 * Digests by which an entry is found elsewhere, whatever its id is there: of its type and text, and of these with its
 * metadata where it has more than chibi writes into its window.
 */
export interface EntryDigests {
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

/** Computes the digests of an entry. Costs hashing its text and metadata. */
export function* digestEntry(entry: EntryDraft): Sliced<EntryDigests> {
  const text = isAnchor(entry) ? String(entry.metadata?.summary ?? '') : entry.content
  const details = Object.entries(entry.metadata ?? {}).filter(([key]) => !noDetails.has(key))
  const hash = createHash('sha256')
  const add = (piece: string) => void hash.update(piece)
  add(`${entry.entry_type}\0`)
  for (let at = 0; at < text.length; ) {
    const end = endOfSlice(text, at)
    add(wellFormed(text.slice(at, end)))
    if (end < text.length) yield end - at
    at = end
  }
  const said = hash.copy().digest('base64')
  if (details.length === 0) return { said, withDetails: undefined }
  add('\0')
  // The order of keys says nothing, and a line has no halves of characters.
  yield* writeJson(Object.fromEntries(details), add, { form: wellFormed, sorted: true })
  return { said, withDetails: hash.digest('base64') }
}

/** Never between the halves of a pair. */
function endOfSlice(text: string, at: number): number {
  const end = Math.min(text.length, at + sliceBytes)
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd800 && last < 0xdc00 ? end - 1 : end
}
