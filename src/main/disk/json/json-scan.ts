import { type Sliced, sliceBytes } from '../pacing/slices'

/** The byte offset at which a JSON value ends, or the fault that ends the scan and its offset. */
export type ValueEnd =
  | { readonly type: 'value'; readonly end: number }
  | { readonly type: 'fault'; readonly fault: JsonFault; readonly at: number }

/**
 * Faults of a scan: the text ends inside a string, it ends inside a value, a byte is not allowed there, or nesting
 * passes `mostLevels`.
 */
export type JsonFault = 'ends-in-string' | 'ends' | 'unexpected' | 'too-deep'

/**
 * A listener for the offsets at which objects begin and end, innermost first; an object that never ends is reported
 * only once.
 */
export interface ObjectPlaces {
  began(at: number): void
  /** The one that began last of those that have not ended. @param end behind its brace */
  ended(end: number): void
}

/** Levels of nesting that a scan follows; no record is nested that deeply. */
export const mostLevels = 250_000

// What may come next.
const aValue = 0
const aFirstItem = 1
const aFirstKey = 2
const aKey = 3
const aColon = 4
const commaOrClose = 5

/** The byte `"`. */
export const quote = 0x22
/** The byte `,`. */
export const comma = 0x2c
/** The byte `{`. */
export const openBrace = 0x7b
/** The byte `}`. */
export const closeBrace = 0x7d
/** The byte `[`. */
export const openBracket = 0x5b
/** The byte `]`. */
export const closeBracket = 0x5d
/** The byte `:`. */
export const colon = 0x3a
const backslash = 0x5c

/**
 * Finds the end of the JSON value that begins at `from` without building it, and reads each byte once. Stops at the
 * first byte that no value can have there, so that torn text is recognised early. Escapes and UTF-8 are not checked:
 * building the value does that. Bytes that are not UTF-8 pass inside strings and are a fault elsewhere.
 *
 * @param objects is called for every object in the value, itself too
 *
 * @param slice bytes between two yields
 */
export function* scanValue(
  bytes: Uint8Array,
  from: number,
  objects?: ObjectPlaces,
  slice: number = sliceBytes,
): Sliced<ValueEnd> {
  /** 1 for an object, 0 for a list. */
  const open: number[] = []
  const number = new NumberScan()
  let at = from
  let yielded = from
  let due = aValue
  for (;;) {
    for (;;) {
      at = blanksEnd(bytes, at, yielded + slice)
      if (at < yielded + slice) break
      yield at - yielded
      yielded = at
    }
    const byte = bytes[at]
    if (byte === undefined) return { type: 'fault', fault: 'ends', at }

    if (due === aColon) {
      if (byte !== colon) return unexpected(at)
      at += 1
      due = aValue
      continue
    }
    const isObject = open[open.length - 1] === 1
    if (due === commaOrClose && byte === comma) {
      at += 1
      due = isObject ? aKey : aValue
      continue
    }
    const mayClose = due === commaOrClose || due === aFirstItem || due === aFirstKey
    if (mayClose && byte === (isObject ? closeBrace : closeBracket)) {
      at += 1
      open.pop()
      if (isObject) objects?.ended(at)
      if (open.length === 0) return { type: 'value', end: at }
      due = commaOrClose
      continue
    }
    if (due === commaOrClose) return unexpected(at)
    const isKey = due === aKey || due === aFirstKey

    if (byte === quote) {
      const begin = at
      let end = stringEnd(bytes, at + 1, yielded + slice)
      for (; end < 0; end = stringEnd(bytes, at, yielded + slice)) {
        at = -end
        if (at >= bytes.length) return { type: 'fault', fault: 'ends-in-string', at: begin }
        if (isControl(bytes[at])) return unexpected(begin)
        yield at - yielded
        yielded = at
      }
      at = end
      if (!isKey && open.length === 0) return { type: 'value', end: at }
      due = isKey ? aColon : commaOrClose
    } else if (isKey) return unexpected(at)
    else if (byte === openBrace || byte === openBracket) {
      if (open.length === mostLevels) return { type: 'fault', fault: 'too-deep', at }
      if (byte === openBrace) objects?.began(at)
      open.push(byte === openBrace ? 1 : 0)
      at += 1
      due = byte === openBrace ? aFirstKey : aFirstItem
    } else {
      number.begin(at)
      while (!number.goesOn(bytes, yielded + slice)) {
        yield number.at - yielded
        yielded = number.at
      }
      const end = number.end ?? wordEnd(bytes, at)
      if (end === undefined) return unexpected(at)
      at = end
      if (open.length === 0) return { type: 'value', end: at }
      due = commaOrClose
    }
  }
}

function unexpected(at: number): ValueEnd {
  return { type: 'fault', fault: 'unexpected', at }
}

/** Returns true where the string that opens at `begin` has a closing quote, whatever else it contains. */
export function* isClosed(bytes: Uint8Array, begin: number): Sliced<boolean> {
  let yielded = begin
  for (let at = begin + 1; at < bytes.length; ) {
    const bound = Math.min(bytes.length, yielded + sliceBytes)
    for (; at < bound; at++) {
      if (bytes[at] === quote) return true
      if (bytes[at] === backslash) at += 1
    }
    yield at - yielded
    yielded = at
  }
  return false
}

/** Behind the closing quote; or minus the place where it stopped: at a control byte, the bound, or the end. */
function stringEnd(bytes: Uint8Array, from: number, bound: number): number {
  const stop = Math.min(bytes.length, bound)
  let at = from
  for (; at < stop; at++) {
    const byte = bytes[at] as number // at < length
    if (byte === quote) return at + 1
    if (byte < 0x20) return -at
    if (byte === backslash) at += 1
  }
  return -at
}

function isControl(byte: number | undefined): boolean {
  return byte !== undefined && byte < 0x20
}

/** Counts the JSON blanks (space, tab, line feed, carriage return) from an offset on. */
export function* blanksFrom(bytes: Uint8Array, from: number): Sliced<number> {
  for (let yielded = from; ; ) {
    const at = blanksEnd(bytes, yielded, yielded + sliceBytes)
    if (at < yielded + sliceBytes) return at - from
    yield at - yielded
    yielded = at
  }
}

function blanksEnd(bytes: Uint8Array, from: number, bound: number): number {
  const stop = Math.min(bytes.length, bound)
  let at = from
  while (at < stop && isBlank(bytes[at] as number)) at += 1 // at < length
  return at
}

function isBlank(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09
}

const words = ['true', 'false', 'null'].map((word) => Buffer.from(word))

function wordEnd(bytes: Uint8Array, at: number): number | undefined {
  const word = words.find((one) => one.every((byte, i) => bytes[at + i] === byte))
  return word && at + word.length
}

/** A scan of a number, as far as it is one: an odd byte after it is a fault of what contains it. */
class NumberScan {
  at = 0
  /** Behind the number; undefined where none has begun. */
  end: number | undefined
  private state = 0

  begin(at: number): void {
    this.at = at
    this.end = undefined
    this.state = 0
  }

  /** Goes on up to a bound; true when there is no more of it. */
  goesOn(bytes: Uint8Array, bound: number): boolean {
    const stop = Math.min(bytes.length, bound)
    for (; this.at < stop; this.at++) {
      const next = afterByte(this.state, bytes[this.at] as number) // at < length
      if (next === undefined) return true
      this.state = next
      if (next === isZero || next === inWhole || next === inFraction || next === inExponent)
        this.end = this.at + 1
    }
    return this.at < bound
  }
}

// States of a number: at its beginning (0), and behind...
const aMinus = 1
const isZero = 2
const inWhole = 3
const aPoint = 4
const inFraction = 5
const anE = 6
const aSign = 7
const inExponent = 8

function afterByte(state: number, byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) {
    if (state === 0 || state === aMinus) return byte === 0x30 ? isZero : inWhole
    if (state === inWhole || state === inFraction || state === inExponent) return state
    if (state === isZero) return undefined
    return state === aPoint ? inFraction : inExponent
  }
  if (byte === 0x2d && state === 0) return aMinus
  if (byte === 0x2e && (state === isZero || state === inWhole)) return aPoint
  const mayBeSmall = state === isZero || state === inWhole || state === inFraction
  if ((byte === 0x65 || byte === 0x45) && mayBeSmall) return anE
  return (byte === 0x2b || byte === 0x2d) && state === anE ? aSign : undefined
}
