import { runAtOnce } from '../pacing/slices'
import { scanValue } from './json-scan'

/** A place in a text, as editors count it: from 1, the column in characters. */
export interface TextPlace {
  readonly line: number
  readonly column: number
}

/**
 * Finds where a text stops being one JSON value; undefined where its braces, commas and texts are in order, and something else is wrong, as in an
 * escape. Reads each byte once, without a break: for small files.
 */
export function jsonFaultPlace(bytes: Uint8Array): TextPlace | undefined {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isMarked = text.subarray(0, 3).equals(Buffer.from('\ufeff'))
  const from = isMarked ? 3 : 0
  const found = runAtOnce(scanValue(text, from))
  const at = found.type === 'fault' ? found.at : behindBlanks(text, found.end)
  if (at === undefined) return undefined
  const before = text.subarray(from, at).toString('utf8').split('\n')
  return { line: before.length, column: Array.from(before.at(-1) ?? '').length + 1 }
}

/** What follows a value; undefined where nothing does. */
function behindBlanks(text: Buffer, from: number): number | undefined {
  for (let at = from; at < text.length; at++)
    if (!' \t\r\n'.includes(String.fromCharCode(text[at] ?? 0))) return at
  return undefined
}
