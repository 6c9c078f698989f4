import { isUtf8 } from 'node:buffer'
import { endOfValue, type JsonFault } from './json-values'
import type { RawLine } from './lines'

/** What a line holds where a format has one JSON value a line; `T` is what the format makes of a value. */
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
 * Where a value stands: it is the whole line; a whole value on a line that is none; or one that may as well be a part
 * of the record that was torn there.
 */
export type Standing = 'line' | 'recovered' | 'inside-torn'

/** What a format makes of a value whose JSON is `text`; or why it makes nothing of it, in words. Never throws. */
export type Accept<T extends object> = (
  value: unknown,
  text: string,
  standing: Standing,
) => T | string

/**
 * Decodes one line: a byte order mark and a carriage return are no part of it, bad UTF-8 is replaced. A line that is
 * not one value gives up every whole one that the format takes. Never throws.
 */
export function decodeJsonLine<T extends object>(line: RawLine, accept: Accept<T>): JsonLine<T> {
  if (line.bytes.length < line.length)
    return damaged(`the line is ${line.length} bytes long, too long to be read`, false)
  const bytes = Buffer.from(line.bytes.buffer, line.bytes.byteOffset, line.bytes.byteLength)
  const text = withoutMark(bytes.toString('utf8'))
  if (text.trim() === '') return { type: 'blank' }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return unparsable(text, !line.ended, accept)
  }
  const accepted = accept(value, text, 'line')
  if (typeof accepted === 'string') return damaged(accepted, false)
  const hasBadBytes = text.includes('\ufffd') && !isUtf8(bytes)
  return { type: 'value', value: accepted, hasBadBytes }
}

const shownBytes = 4096

/** What is shown of a damaged line: base64 of its first 4 KB. */
export function beginningOf({ bytes }: RawLine): string {
  const shown = bytes.subarray(0, shownBytes)
  return Buffer.from(shown.buffer, shown.byteOffset, shown.byteLength).toString('base64')
}

function unparsable<T extends object>(text: string, torn: boolean, accept: Accept<T>): JsonLine<T> {
  if (/^\0+$/.test(text)) return damaged('only zero bytes, as a power failure leaves them', torn)
  const recovered = wholeValues(text, accept)
  if (recovered.length > 0) {
    const many = recovered.length > 1 ? 'several records' : 'a whole record and other bytes'
    return { type: 'damaged', reason: `${many} on one line`, torn, recovered }
  }
  const end = endOfValue(text, 0)
  if (end.type === 'value') return damaged(`other bytes after a record at ${end.end}`, torn)
  return damaged(faultWords(end.fault, end.at), torn)
}

const faultWords = (fault: JsonFault, at: number): string =>
  ({
    'ends-in-string': 'the text ends inside a string',
    ends: 'the text ends inside a record',
    unexpected: `not JSON at character ${at + 1}`,
  })[fault]

/** Every whole value in a text that is not one JSON value, where the format takes it. */
function wholeValues<T extends object>(text: string, accept: Accept<T>): readonly T[] {
  const values: T[] = []
  // Up to here the text can be the beginning of a record that was torn.
  let tornEnd = 0
  // Hostile text may make every try run to its end; beyond this it is given up as one damaged line.
  let budget = 4 * text.length + 65_536
  for (let at = text.indexOf('{'); at >= 0 && budget > 0; ) {
    const end = endOfValue(text, at)
    const stop = end.type === 'value' ? end.end : end.at
    budget -= stop - at + 16
    if (end.type === 'value') {
      const value = acceptedIn(text.slice(at, stop), stop <= tornEnd, accept)
      if (value !== undefined) values.push(value)
    } else tornEnd = Math.max(tornEnd, stop)
    // What stands inside a whole value is no record of its own.
    at = text.indexOf('{', end.type === 'value' ? stop : at + 1)
  }
  return values
}

function acceptedIn<T extends object>(
  text: string,
  isInsideTorn: boolean,
  accept: Accept<T>,
): T | undefined {
  try {
    const value = accept(JSON.parse(text), text, isInsideTorn ? 'inside-torn' : 'recovered')
    return typeof value === 'string' ? undefined : value
  } catch {
    return undefined // The scan is a little kinder than JSON.parse.
  }
}

function damaged(reason: string, torn: boolean): JsonLine<never> {
  return { type: 'damaged', reason, torn, recovered: [] }
}

function withoutMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}
