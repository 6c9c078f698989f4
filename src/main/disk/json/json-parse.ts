import { type Sliced, sliceBytes } from '../pacing/slices'
import { buildValue, TooManyValues } from './json-build'
import { blanksFrom, scanValue } from './json-scan'

/**
 * Parses a text as JSON.parse does, in slices where it is long; undefined where it is not JSON or has too many values.
 *
 * @param mostValues that it may hold; unless told, no more than any record of ours
 */
export function* parseInSlices(
  bytes: Buffer,
  mostValues?: number,
): Sliced<{ readonly value: unknown } | undefined> {
  try {
    if (bytes.length <= sliceBytes) return { value: JSON.parse(bytes.toString('utf8')) }
    const begin = yield* blanksFrom(bytes, 0)
    const end = yield* scanValue(bytes, begin)
    if (end.type === 'fault') return undefined
    if (end.end + (yield* blanksFrom(bytes, end.end)) < bytes.length) return undefined
    return { value: yield* buildValue(bytes, begin, end.end, undefined, mostValues) }
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TooManyValues) return undefined
    throw error
  }
}
