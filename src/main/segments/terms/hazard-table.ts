import { hazards } from './hazards'

/** Hazards by character, so that bytes are looked through without making strings of them: 1 for those that are one. */
export interface HazardTable {
  /** By UTF-16 unit: as bytes in UTF-8, of two or three of them. */
  readonly plain: Uint8Array
  /** By UTF-16 unit: as an escape. */
  readonly escaped: Uint8Array
  /** By code point without its last six bits: as four bytes in UTF-8. */
  readonly beyond: Uint8Array
}

const units = 0x10000
const endOfUnicode = 0x110000

const known = new Map<keyof typeof hazards, HazardTable>()

/** Returns the hazards of a kind as a table, made of their pattern when it is first asked for: some milliseconds. */
export function hazardTable(kind: keyof typeof hazards): HazardTable {
  const table = known.get(kind) ?? tableOf(hazards[kind])
  known.set(kind, table)
  return table
}

function tableOf(pattern: RegExp): HazardTable {
  const table = {
    plain: new Uint8Array(units),
    escaped: new Uint8Array(units),
    beyond: new Uint8Array(endOfUnicode >>> 6),
  }
  mark(table.beyond, pattern, units >>> 6, 5, (n, into, at) => {
    into[at] = 0xf0 | (n >>> 12)
    into[at + 1] = continued(n >>> 6)
    into[at + 2] = continued(n)
    into[at + 3] = 0x80
  })
  mark(table.plain, pattern, 0x800, 4, (n, into, at) => {
    into[at] = 0xe0 | (n >>> 12)
    into[at + 1] = continued(n >>> 6)
    into[at + 2] = continued(n)
  })
  mark(table.plain.subarray(0, 0x800), pattern, 0x80, 3, (n, into, at) => {
    into[at] = 0xc0 | (n >>> 6)
    into[at + 1] = continued(n)
  })
  for (const digits of [lowerDigits, lowerDigits.toUpperCase()])
    mark(table.escaped, pattern, 0, 7, (n, into, at) => {
      into[at] = backslash
      into[at + 1] = letterU
      for (let digit = 0; digit < 4; digit++)
        into[at + 2 + digit] = digits.charCodeAt((n >>> (12 - 4 * digit)) & 15)
    })
  return table
}

const backslash = 0x5c
const letterU = 0x75
const lowerDigits = '0123456789abcdef'

function continued(bits: number): number {
  return 0x80 | (bits & 0x3f)
}

/** Sets what a pattern finds, from a number on: the bytes of all numbers are looked through at once. @param width of each, with a space behind it */
function mark(
  table: Uint8Array,
  pattern: RegExp,
  first: number,
  width: number,
  write: (n: number, into: Buffer, at: number) => void,
): void {
  const bytes = Buffer.alloc((table.length - first) * width, ' ')
  for (let n = first; n < table.length; n++) write(n, bytes, (n - first) * width)
  const latin1 = bytes.toString('latin1')
  pattern.lastIndex = 0
  for (let found = pattern.exec(latin1); found !== null; found = pattern.exec(latin1))
    table[first + Math.floor(found.index / width)] = 1
}

/**
 * Returns true where a hazard begins at a place of bytes in UTF-8, or where something begins that is no UTF-8 or no whole escape.
 *
 * @param bytes more than what is asked for, lest a character at the end is cut
 */
export function isHazardAt(table: HazardTable, bytes: Uint8Array, at: number): boolean {
  const lead = bytes[at] ?? 0
  if (lead < 0x80)
    return lead === backslash && bytes[at + 1] === letterU && isEscapedHazard(table, bytes, at + 2)
  // What only follows, and what never occurs, stands for nothing.
  if (lead < 0xc2 || lead > 0xf4) return false
  const second = bytes[at + 1] ?? 0
  if ((second & 0xc0) !== 0x80) return true
  if (lead < 0xe0) return table.plain[((lead & 0x1f) << 6) | (second & 0x3f)] === 1
  const third = bytes[at + 2] ?? 0
  if ((third & 0xc0) !== 0x80) return true
  const upper = ((second & 0x3f) << 6) | (third & 0x3f)
  if (lead < 0xf0) return table.plain[((lead & 0x0f) << 12) | upper] === 1
  const place = ((lead & 0x07) << 12) | upper
  return place < units >>> 6 || table.beyond[place] !== 0
}

function isEscapedHazard({ escaped }: HazardTable, bytes: Uint8Array, at: number): boolean {
  let unit = 0
  for (let n = 0; n < 4; n++) {
    const digit = digitOf(bytes[at + n] ?? 0)
    if (digit < 0) return true
    unit = (unit << 4) | digit
  }
  return escaped[unit] === 1
}

function digitOf(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}
