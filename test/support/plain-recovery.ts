import type { AcceptValue } from '../../src/main/disk/json/json-accept'
import type { JsonLine } from '../../src/main/disk/json/json-line'

/**
 * Decodes a line as its description says, and in no other way: each brace is tried from the beginning, and each try goes
 * to its own end. The square of the length; what it finds, every other decoder has to find.
 */
export function plainlyDecoded<T extends object>(
  bytes: Buffer,
  ended: boolean,
  accept: AcceptValue<T>,
): JsonLine<T> {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  if (text.trim() === '') return { type: 'blank' }
  const damaged = (reason: string, torn: boolean, recovered: readonly T[] = []): JsonLine<T> => ({
    type: 'damaged',
    reason,
    torn,
    recovered,
  })
  const value = parsed(text)
  if (value !== undefined) {
    const accepted = accept(value.value, text, 'line')
    if (typeof accepted === 'string') return damaged(accepted, false)
    const hasBadBytes = !Buffer.from(bytes.toString('utf8')).equals(bytes)
    return { type: 'value', value: accepted, hasBadBytes }
  }
  const torn = !ended
  if (/^\0+$/.test(text)) return damaged('only zero bytes, as a power failure leaves them', torn)
  const found = recovered(text, accept)
  if (found.length > 1) return damaged('several records on one line', torn, found)
  if (found.length > 0) return damaged('a whole record and other bytes on one line', torn, found)
  const end = endOfValue(text, 0)
  if (end.fault === undefined) return damaged(`other bytes after a record at ${end.at}`, torn)
  if (end.fault === 'unexpected') return damaged(`not JSON at character ${end.at + 1}`, torn)
  const inside = end.fault === 'in-string' ? 'a string' : 'a record'
  return damaged(`the text ends inside ${inside}`, torn)
}

function recovered<T extends object>(text: string, accept: AcceptValue<T>): readonly T[] {
  const values: T[] = []
  let tornEnd = 0
  for (let at = text.indexOf('{'); at >= 0; ) {
    const { fault, at: stop } = endOfValue(text, at)
    if (fault === undefined) {
      const json = text.slice(at, stop)
      const value = parsed(json)
      const standing = stop <= tornEnd ? 'inside-torn' : 'recovered'
      const taken = value === undefined ? '' : accept(value.value, json, standing)
      if (typeof taken !== 'string') values.push(taken)
    } else tornEnd = Math.max(tornEnd, stop)
    at = text.indexOf('{', fault === undefined ? stop : at + 1)
  }
  return values
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

interface End {
  /** Undefined where a value ends at `at`. */
  readonly fault?: 'unexpected' | 'in-string' | 'in-record'
  readonly at: number
}

class Fault extends Error {
  readonly end: End
  constructor(fault: NonNullable<End['fault']>, at: number) {
    super(fault)
    this.end = { fault, at }
  }
}

/** By recursion, one rule of JSON's grammar after the other; escapes are any character. */
function endOfValue(text: string, from: number): End {
  const blanks = (at: number) => at + (/^[ \t\r\n]*/.exec(text.slice(at))?.[0].length ?? 0)
  const fail = (at: number): never => {
    if (at >= text.length) throw new Fault('in-record', at)
    const isOpen = text[at] === '"' && !/^"(?:\\[\s\S]|[^"\\])*"/.test(text.slice(at))
    throw new Fault(isOpen ? 'in-string' : 'unexpected', at)
  }
  const match = (pattern: RegExp, at: number): number => {
    const found = pattern.exec(text.slice(at))
    return found === null ? fail(at) : at + found[0].length
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no text of JSON has them
  const string = (at: number) => match(/^"(?:\\[\s\S]|[^"\\\u0000-\u001f])*"/, at)
  const named = (at: number): number => {
    const end = blanks(string(at))
    return value(text[end] === ':' ? blanks(end + 1) : fail(end))
  }
  const members = (at: number, close: string, member: (at: number) => number): number => {
    let end = blanks(at)
    if (text[end] === close) return end + 1
    for (;;) {
      end = blanks(member(end))
      if (text[end] === close) return end + 1
      end = blanks(text[end] === ',' ? end + 1 : fail(end))
    }
  }
  const value = (at: number): number => {
    if (text[at] === '{') return members(at + 1, '}', named)
    if (text[at] === '[') return members(at + 1, ']', value)
    if (text[at] === '"') return string(at)
    return match(/^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/, at)
  }
  try {
    return { at: value(blanks(from)) }
  } catch (error) {
    if (error instanceof Fault) return error.end
    throw error
  }
}
