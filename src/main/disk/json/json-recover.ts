import { decodeText } from '../pacing/sliced-text'
import { type Sliced, sliceBytes } from '../pacing/slices'
import type { AcceptValue } from './json-accept'
import { buildValue, TooManyValues } from './json-build'
import { ObjectScan } from './json-object-scan'
import { closeBrace, openBrace, quote, type ValueEnd } from './json-scan'

/** Records found on a line that is not one value. */
export interface Recovered<T> {
  readonly values: readonly T[]
  /** There may be more: it was given up at `mostRecovered`. */
  readonly isCut: boolean
}

/** Records that one line gives up. A page holds its lines whole, and what is shown must not fill the memory. */
const mostRecovered = 5000

/**
 * Finds every complete object that the format accepts in a text that is not one JSON value, from left to right;
 * objects inside an accepted one are not listed again.
 *
 * Each brace may begin a value, so each is tried, which alone would cost the square of the length where braces are
 * nested and torn. But a try that reaches another brace where a value is due also learns how a try from there would
 * end. Only a brace inside a string needs another scan, in which strings and the text between them change places. So
 * at most two scans read any byte at a time.
 *
 * @param read what the line was read by already
 */
export function* recoverValues<T extends object>(
  bytes: Buffer,
  from: number,
  accept: AcceptValue<T>,
  read: ObjectScan,
): Sliced<Recovered<T>> {
  const values: T[] = []
  let readings: readonly ObjectScan[] = [read]
  // Up to here the text can be the beginning of a record that was torn.
  let tornEnd = 0
  let spent = 0
  for (let at = bytes.indexOf(openBrace, from); at >= 0; ) {
    readings = readings.filter(({ reach }) => reach > at)
    let end = knownEnd(readings, at) ?? impossible(bytes, at)
    if (end === undefined) {
      const reading = new ObjectScan()
      end = yield* reading.read(bytes, at)
      readings = [...readings, reading]
      // The bytes beyond were yielded while it was read.
      spent += Math.min(reading.reach - at, sliceBytes)
    }
    if (end.type === 'fault') {
      tornEnd = Math.max(tornEnd, end.at)
      at = bytes.indexOf(openBrace, at + 1)
    } else {
      const isInside = end.end <= tornEnd
      const value = yield* acceptedIn(bytes, at, end.end, isInside, accept)
      if (value !== undefined) values.push(value)
      spent += Math.min(end.end - at, sliceBytes)
      at = bytes.indexOf(openBrace, end.end)
      if (values.length === mostRecovered && at >= 0) return { values, isCut: true }
    }
    spent += 16
    if (spent < sliceBytes) continue
    yield spent
    spent = 0
  }
  return { values, isCut: false }
}

function knownEnd(readings: readonly ObjectScan[], at: number): ValueEnd | undefined {
  for (const reading of readings) {
    const end = reading.endOf(at)
    if (end !== undefined) return end
  }
  return undefined
}

/** A brace behind which plainly no object comes: nothing is begun for it. */
function impossible(bytes: Buffer, at: number): ValueEnd | undefined {
  const next = bytes[at + 1]
  const mayBe = next === undefined || next <= 0x20 || next === quote || next === closeBrace
  return mayBe ? undefined : { type: 'fault', fault: 'unexpected', at: at + 1 }
}

function* acceptedIn<T extends object>(
  bytes: Buffer,
  from: number,
  end: number,
  isInsideTorn: boolean,
  accept: AcceptValue<T>,
): Sliced<T | undefined> {
  try {
    const position = isInsideTorn ? 'inside-torn' : 'recovered'
    const isShort = end - from <= sliceBytes
    let found: T | string
    if (isShort || accept.inSlices === undefined) {
      const text = yield* decodeText(bytes, from, end)
      const value: unknown = isShort ? JSON.parse(text) : yield* buildValue(bytes, from, end)
      found = accept(value, text, position)
    } else found = yield* accept.inSlices(yield* buildValue(bytes, from, end), position)
    return typeof found === 'string' ? undefined : found
  } catch (error) {
    // The scan is a little kinder than JSON.parse.
    if (error instanceof SyntaxError || error instanceof TooManyValues) return undefined
    throw error
  }
}
