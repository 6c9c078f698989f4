import { AppError } from '../../../shared/model/basics/errors'
import type { EntryDraft } from '../../../shared/model/conversation/entry'
import { shortLineBytes } from '../../disk/json/json-line'
import { parseInSlices } from '../../disk/json/json-parse'
import { runInSlices } from '../../disk/pacing/slices'
import { longestLineBytes } from '../../disk/reading/lines'
import { encodeEntryAsync } from './entry-line'

/** An entry with the line that will be written for it. */
export interface EncodedEntry {
  /** Without the line feed. */
  readonly line: Uint8Array
  /** Gives the entry as every reader will have it: with whole seconds and well-formed strings. */
  readonly asWritten: () => EntryDraft
}

/**
 * Encodes an entry that will be appended; yields to other work where it is long.
 *
 * @param longestBytes what readers take of a line at most
 *
 * @throws AppError `bad-argument` no reader would take its line: it is too long, or has more values than a record may
 */
export async function encodeForAppend(
  draft: EntryDraft,
  nowSeconds: number,
  longestBytes: number = longestLineBytes,
): Promise<EncodedEntry> {
  const coming = encodeEntryAsync(draft, nowSeconds)
  const line = coming instanceof Promise ? await coming : coming
  const bytes = Buffer.from(line.buffer, line.byteOffset, line.byteLength)
  // Parsed, not decoded as a line of unknown origin is, and only once it is written: this stands between two appends.
  if (line.length <= shortLineBytes)
    return { line, asWritten: () => JSON.parse(bytes.toString('utf8')) }
  if (line.length > longestBytes)
    throw unreadableLater(
      draft,
      `with ${megabytes(line.length)} it is longer than the ${megabytes(longestBytes)} that can be read again`,
    )
  const parsed = await runInSlices(parseInSlices(bytes))
  if (parsed === undefined)
    throw unreadableLater(draft, 'its metadata has more values than can be read again')
  const written = parsed.value as EntryDraft // encoded a moment ago
  return { line, asWritten: () => written }
}

function unreadableLater({ entry_type }: EntryDraft, why: string): AppError {
  return new AppError('bad-argument', `The ${entry_type} entry was not saved: ${why}.`)
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MB`
}
