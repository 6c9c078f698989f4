import { isUtf8 } from 'node:buffer'
import { decodeText, isAllZero, isBlankText, textLength } from '../pacing/sliced-text'
import {
  runAtOnce,
  runInSlices,
  type Sliced,
  sliceBytes,
  type YieldToOthers,
} from '../pacing/slices'
import type { FileLine } from '../reading/lines'
import type { AcceptValue } from './json-accept'
import { buildValue, TooManyValues } from './json-build'
import { ObjectScan } from './json-object-scan'
import { recoverValues } from './json-recover'
import { blanksFrom, isClosed, mostLevels, quote } from './json-scan'

/** The content of a line in a format with one JSON value per line; `T` is the format's record. */
export type JsonLine<T> =
  | { readonly type: 'blank' }
  | {
      readonly type: 'value'
      readonly value: T
      /** Some bytes were no UTF-8 and were replaced. */
      readonly hasBadBytes: boolean
    }
  | {
      readonly type: 'damaged'
      readonly reason: string
      /** It does not parse and has no line feed yet: it may still be growing. */
      readonly torn: boolean
      /** Every whole value on the line, as after a lost line feed. */
      readonly recovered: readonly T[]
    }

/**
 * Decodes one line, without its byte order mark and carriage return and with bad UTF-8 replaced. A line that is not
 * one value is `damaged`, with every complete value on it that the format accepts. Never throws.
 *
 * It blocks: use it in a worker thread, or for lines that are known to be short.
 */
export function decodeJsonLine<T extends object>(
  line: FileLine,
  accept: AcceptValue<T>,
): JsonLine<T> {
  return plainly(line, accept) ?? runAtOnce(thoroughly(line, accept))
}

/**
 * Decodes like `decodeJsonLine`, for the main thread: at once where the line is short and one value, as nearly all
 * are; else in slices, and yields to other work between them.
 */
export function decodeJsonLineInSlices<T extends object>(
  line: FileLine,
  accept: AcceptValue<T>,
  giveWay?: YieldToOthers,
): JsonLine<T> | Promise<JsonLine<T>> {
  return plainly(line, accept) ?? runInSlices(thoroughly(line, accept), giveWay)
}

/** Length up to which a line is parsed at once, in bytes. */
export const shortLineBytes = sliceBytes

/** Parses a line at once; undefined for a long one, and for one that does not parse. */
export function parsedLine(line: string): unknown {
  if (line.length > shortLineBytes) return undefined
  try {
    return JSON.parse(line) as unknown
  } catch {
    return undefined
  }
}

/** Undefined for a long line, and for one that does not parse. */
function plainly<T extends object>(
  line: FileLine,
  accept: AcceptValue<T>,
): JsonLine<T> | undefined {
  if (line.bytes.length < line.length)
    return damaged(`the line is ${line.length} bytes long, too long to be read`, false)
  if (line.length > shortLineBytes) return undefined
  const bytes = bufferOf(line)
  const text = withoutMark(bytes.toString('utf8'))
  if (text.trim() === '') return { type: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  const accepted = accept(value, text, 'line')
  if (typeof accepted === 'string') return damaged(accepted, false)
  const hasBadBytes = text.includes('\ufffd') && !isUtf8(bytes)
  return { type: 'value', value: accepted, hasBadBytes }
}

function* thoroughly<T extends object>(
  line: FileLine,
  accept: AcceptValue<T>,
): Sliced<JsonLine<T>> {
  const bytes = bufferOf(line)
  const torn = !line.ended
  const begin = bytes.subarray(0, 3).equals(byteOrderMark) ? 3 : 0
  if (yield* isBlankText(bytes, begin)) return { type: 'blank' }
  if (yield* isAllZero(bytes, begin))
    return damaged('only zero bytes, as a power failure leaves them', torn)

  const reading = new ObjectScan()
  const first = yield* reading.read(bytes, begin)
  if (first.type === 'value' && (yield* isLast(bytes, first.end))) {
    const built = yield* builtLine(bytes, begin, first.end, accept)
    if (built !== undefined) return built
  }
  const { values, isCut } = yield* recoverValues(bytes, begin, accept, reading)
  if (values.length > 0) {
    const many = values.length > 1 ? 'several records' : 'a whole record and other bytes'
    const cut = isCut ? `; the first ${values.length} are shown` : ''
    return { type: 'damaged', reason: `${many} on one line${cut}`, torn, recovered: values }
  }
  if (first.type === 'value') {
    const place = yield* textLength(bytes, begin, first.end)
    return damaged(`other bytes after a record at ${place}`, torn)
  }
  if (first.fault !== 'unexpected') return damaged(faultWords[first.fault], torn)
  if (bytes[first.at] === quote && !(yield* isClosed(bytes, first.at)))
    return damaged(faultWords['ends-in-string'], torn)
  const place = yield* textLength(bytes, begin, first.at)
  return damaged(`not JSON at character ${place + 1}`, torn)
}

const byteOrderMark = Buffer.from('\ufeff')

/** Undefined where its escapes are none of JSON's. */
function* builtLine<T extends object>(
  bytes: Buffer,
  from: number,
  end: number,
  accept: AcceptValue<T>,
): Sliced<JsonLine<T> | undefined> {
  let value: unknown
  try {
    value = yield* buildValue(bytes, from, end)
  } catch (error) {
    if (error instanceof TooManyValues) return damaged(error.message, false)
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const accepted =
    accept.inSlices === undefined
      ? accept(value, yield* decodeText(bytes, from, bytes.length), 'line')
      : yield* accept.inSlices(value, 'line')
  if (typeof accepted === 'string') return damaged(accepted, false)
  return { type: 'value', value: accepted, hasBadBytes: !isUtf8(bytes) }
}

function* isLast(bytes: Buffer, end: number): Sliced<boolean> {
  return end + (yield* blanksFrom(bytes, end)) === bytes.length
}

function bufferOf({ bytes }: FileLine): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

const shownBytes = 4096

/** Returns the first 4 KB of a line as base64, for showing a damaged one. */
export function damageExcerpt({ bytes }: FileLine): string {
  const shown = bytes.subarray(0, shownBytes)
  return Buffer.from(shown.buffer, shown.byteOffset, shown.byteLength).toString('base64')
}

const faultWords = {
  'ends-in-string': 'the text ends inside a string',
  ends: 'the text ends inside a record',
  'too-deep': `nested more than ${mostLevels} levels deep`,
}

function damaged(reason: string, torn: boolean): JsonLine<never> {
  return { type: 'damaged', reason, torn, recovered: [] }
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
