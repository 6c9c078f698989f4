import { setImmediate } from 'node:timers/promises'
import type { DiskFile } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { decodeFileText } from './file-text'
import type { LineHits } from './hits'
import type { MatchLines } from './pattern'

/**
 * Longest line that is searched whole; of a longer one only the first 4 KB are. Lines that people write are far
 * shorter.
 */
const longestLineBytes = 1024 * 1024
/** Matched in one go, so that the pattern's time is bounded for so much text at once. Then others have their turn. */
const batchCharacters = 64 * 1024

/** The part of a file that was searched. */
export interface FileSearchResult {
  readonly lines: number
  /** Lines of which only the beginning was searched. */
  readonly overlong: number
  /** The time was over before the file's end. */
  readonly isLate: boolean
}

/**
 * Adds the matching lines of a file to `hits`, until its end, until no more are wanted, or until `untilMs`, a time
 * of `performance.now()`. Holds some lines at once, whatever the file's size.
 *
 * @throws ToolRefusal where the pattern takes too long; DiskError
 */
export async function searchFile(
  file: DiskFile,
  matching: MatchLines,
  hits: LineHits,
  untilMs: number,
  signal: AbortSignal,
): Promise<FileSearchResult> {
  let lines = 0
  let overlong = 0
  for await (const raw of readLines(file, { longestBytes: longestLineBytes, signal })) {
    overlong += raw.filter(({ bytes, length }) => bytes.length < length).length
    const texts = raw.map(({ bytes }, i) => plainLine(decodeFileText(bytes), lines + i === 0))
    for (const batch of batches(texts)) {
      signal.throwIfAborted()
      hits.take(batch, lines, new Set(matching(batch)))
      lines += batch.length
      if (hits.isFull) return { lines, overlong, isLate: false }
      if (performance.now() > untilMs) return { lines, overlong, isLate: true }
      await setImmediate()
    }
  }
  return { lines, overlong, isLate: false }
}

/** Returns a line as a pattern sees it: `^` and `$` match at the ends of its text. */
function plainLine(text: string, isFirst: boolean): string {
  const start = isFirst && text.startsWith('\ufeff') ? 1 : 0
  return text.slice(start, text.endsWith('\r') ? -1 : undefined)
}

function* batches(texts: readonly string[]): Generator<readonly string[]> {
  let batch: string[] = []
  let characters = 0
  for (const text of texts) {
    batch.push(text)
    characters += text.length + 1
    if (characters < batchCharacters) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
