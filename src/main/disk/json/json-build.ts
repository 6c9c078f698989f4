import { characterStart } from '../pacing/sliced-text'
import type { Sliced } from '../pacing/slices'
import { closeBrace, closeBracket, colon, comma, openBrace, openBracket, quote } from './json-scan'

/**
 * Values that one text may hold: each object, list, text, number and word is one. More than any record has, and few enough
 * that what goes through all of them at once, such as handing them to another process, keeps nobody waiting.
 */
const mostValues = 500_000

/** Names that one object may hold: with hundreds of thousands, each access takes as long as a whole slice of other work. */
const mostNames = 20_000

/** JSON.parse takes a number at once. */
const mostDigits = 1_000_000

/** The error for a record with more values, names or digits than one may hold; the message says which. */
export class TooManyValues extends Error {}

/** Built by JSON.parse at once. */
const pieceBytes = 64 * 1024
const backslash = 0x5c

/** An object or a list whose end has not been reached. */
interface Frame {
  readonly isObject: boolean
  readonly start: number
  /** End of what was built, as an offset. */
  from: number
  /** Where its last member begins, and where that's name ends. */
  member: number
  named: number
  /** Number of them. */
  names: number
  /** The last member has been built. */
  isBuilt: boolean
  /** The part of it that was built; undefined while it is small enough to be built as a whole. */
  value: Record<string, unknown> | unknown[] | undefined
}

/**
 * Parses JSON in slices, to the value that JSON.parse returns: small parts by JSON.parse, larger values assembled from
 * them.
 *
 * @param end of the value that begins at `from`, as `scanValue` tells; nothing that no scan has passed may come here
 *  *
 * @param piece bytes that are built at once
 *
 * @param most values that it may hold
 *
 * @throws SyntaxError for an escape that JSON does not have, TooManyValues
 */
export function* buildValue(
  bytes: Buffer,
  from: number,
  end: number,
  piece: number = pieceBytes,
  most: number = mostValues,
): Sliced<unknown> {
  const open: Frame[] = []
  let whole: { readonly value: unknown } | undefined
  let values = 0
  let yielded = from
  let isName = false
  for (let at = from; at < end; ) {
    const begin = at
    const byte = bytes[at] as number // at < end
    const top = open[open.length - 1]
    at += 1
    if (byte === quote) {
      for (; at < end && bytes[at] !== quote; at++) {
        if (bytes[at] === backslash) at += 1
        if (at - yielded < 4 * piece) continue
        yield at - yielded
        yielded = at
      }
      at += 1
      if (!isName) values += 1
      if (isName && top !== undefined) {
        top.named = at
        top.names += 1
        if (top.names > mostNames)
          throw new TooManyValues(`more than ${mostNames} names in one object`)
      } else if (at - begin > piece) {
        whole = { value: yield* longText(bytes, begin + 1, at - 1, piece) }
        if (top !== undefined) attach(bytes, top, whole.value, at)
        yielded = at
      }
    } else if (byte === openBrace || byte === openBracket) {
      isName = byte === openBrace
      values += 1
      const nothing = { member: at, named: at, names: 0, isBuilt: false, value: undefined }
      open.push({ isObject: isName, start: begin, from: at, ...nothing })
    } else if (byte === colon) isName = false
    else if (byte === comma && top !== undefined) {
      if (!top.isBuilt && at - top.from > piece) build(bytes, top, begin)
      if (top.isBuilt) top.from = at
      top.isBuilt = false
      top.member = at
      isName = top.isObject
    } else if ((byte === closeBrace || byte === closeBracket) && top !== undefined) {
      open.pop()
      const above = open[open.length - 1]
      if (top.value !== undefined || at - top.start > piece) {
        if (!top.isBuilt) build(bytes, top, begin)
        whole = { value: top.value }
        if (above !== undefined) attach(bytes, above, top.value, at)
      }
    } else if (byte > 0x20) {
      values += 1
      for (; at < end && isOfWord(bytes[at] as number); at++) {
        if (at - yielded < 4 * piece) continue
        yield at - yielded
        yielded = at
      }
    }
    if (byte > 0x20 && byte !== quote && at - begin > mostDigits)
      throw new TooManyValues(`a number of more than ${mostDigits} digits`)
    if (values > most) throw new TooManyValues(`more than ${most} values in one record`)
    if (at - yielded < 4 * piece) continue
    yield at - yielded
    yielded = at
  }
  return whole !== undefined && end - from > piece
    ? whole.value
    : JSON.parse(bytes.toString('utf8', from, end))
}

/** Of a number or a word. */
function isOfWord(byte: number): boolean {
  return byte > 0x20 && byte !== comma && byte !== closeBrace && byte !== closeBracket
}

/** Builds the members of a frame that have not been built, up to a place. */
function build(bytes: Buffer, frame: Frame, to: number): void {
  const text = bytes.toString('utf8', frame.from, to)
  frame.isBuilt = true
  if (frame.isObject) {
    frame.value ??= {}
    const part = JSON.parse(`{${text}}`) as Record<string, unknown> // by its braces
    for (const name of Object.keys(part)) put(frame.value, name, part[name])
  } else {
    frame.value ??= []
    const list = frame.value as unknown[] // a frame that is no object
    for (const one of JSON.parse(`[${text}]`) as unknown[]) list.push(one)
  }
}

/** Makes a value that was built by itself the last member of the frame that contains it. */
function attach(bytes: Buffer, frame: Frame, value: unknown, end: number): void {
  if (frame.member > frame.from) build(bytes, frame, frame.member - 1)
  frame.value ??= frame.isObject ? {} : []
  if (Array.isArray(frame.value)) frame.value.push(value)
  else put(frame.value, JSON.parse(bytes.toString('utf8', frame.member, frame.named)), value)
  frame.from = end
  frame.isBuilt = true
}

function put(object: Record<string, unknown> | unknown[], name: string, value: unknown): void {
  const own = { value, enumerable: true, configurable: true, writable: true }
  if (name === '__proto__') Object.defineProperty(object, name, own)
  else (object as Record<string, unknown>)[name] = value // what has names is an object
}

/** The text between two quotes, in pieces of which none divides an escape or a character. */
function* longText(bytes: Buffer, from: number, end: number, length: number): Sliced<string> {
  const pieces: string[] = []
  for (let at = from; at < end; ) {
    const to = at + length < end ? cutBefore(bytes, at, at + length) : end
    pieces.push(JSON.parse(`"${bytes.toString('utf8', at, to)}"`))
    yield to - at
    at = to
  }
  return pieces.join('')
}

const longestEscape = 6

function cutBefore(bytes: Buffer, from: number, bound: number): number {
  const cut = characterStart(bytes, bound)
  // Not by lastIndexOf on all of them: in a text without escapes it would search everything before, again for each piece.
  const least = Math.max(from, cut - longestEscape)
  const last = least + bytes.subarray(least, cut).lastIndexOf(backslash)
  if (last < least) return cut
  // A run of backslashes begins outside of an escape, and two of them are one.
  let first = last
  while (first > from && bytes[first - 1] === backslash) first -= 1
  return first > from ? first : from + 2 * Math.floor((last + 1 - from) / 2)
}
