import fs from 'node:fs'
import path from 'node:path'
import { type Faults, hasLoneSurrogate, isObject, type JsonObject } from './faults'

/** A line that holds a JSON object, as chibi reads it. */
export interface JsonLine {
  /** Relative to the home, with slashes. */
  readonly file: string
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly value: JsonObject
}

/**
 * Reads the lines of a JSONL file and tells what chibi would refuse, lose, or never write: bytes that are no UTF-8 (they
 * cost chibi the whole file), a byte order mark, CRLF, blank lines, no line feed at the end, no JSON object, other JSON
 * than a compact one, lone surrogates.
 *
 * @param file relative to the home; where there is none, no line
 */
export function readLines(home: string, file: string, faults: Faults): readonly JsonLine[] {
  const bytes = bytesOf(home, file, faults)
  if (bytes === undefined) return []
  if (bytes.length > 0 && bytes[bytes.length - 1] !== 0x0a)
    faults.add(file, undefined, 'does not end in a line feed')
  const found: JsonLine[] = []
  let line = 0
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(0x0a, from)
    const to = feed === -1 ? bytes.length : feed
    line++
    const value = readLine(bytes.subarray(from, to), (words) => faults.add(file, line, words))
    if (value !== undefined) found.push({ file, line, ...value })
    from = to + 1
  }
  return found
}

function readLine(
  bytes: Uint8Array,
  fault: (words: string) => void,
): Pick<JsonLine, 'text' | 'value'> | undefined {
  const refuse = (words: string) => {
    fault(words)
    return undefined
  }
  const text = utf8(bytes)
  if (text === undefined) return refuse('is not UTF-8')
  if (text.startsWith('\ufeff')) fault('begins with a byte order mark')
  if (text.endsWith('\r')) fault('ends in CRLF')
  if (text.trim() === '') return refuse('is blank')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return refuse(`is no JSON: ${text.slice(0, 80)}`)
  }
  if (!isObject(value)) return refuse('is no JSON object')
  // A key that stands twice, white space, and other escapes than serde's are lost on the way.
  if (JSON.stringify(value) !== text) fault('is not written as compact JSON, each key once')
  if (hasLoneSurrogate(value)) fault('holds a lone surrogate')
  return { text, value }
}

/** What a file holds; undefined where nothing is, or something else than a file. @param file relative to the home */
export function bytesOf(home: string, file: string, faults: Faults): Buffer | undefined {
  const place = path.join(home, file)
  if (!fs.existsSync(place)) return undefined
  if (fs.statSync(place).isFile()) return fs.readFileSync(place)
  faults.add(file, undefined, 'is no file')
  return undefined
}

/** Undefined where the bytes are none. */
export function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}
