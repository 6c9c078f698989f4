import type { DiskFile } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import type { SizedLine } from './line-file'

/** A stretch of a container, in bytes. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** A line of a record file: bytes of its own and stretches of its container, one behind the other. */
export interface ComposedLine extends SizedLine {
  readonly pieces: readonly (Uint8Array | Stretch)[]
}

/** A part of a line before it is laid out: text, bytes, or a stretch of the container. */
export type LinePart = string | Uint8Array | Stretch

const lineFeed = 0x0a
const carriageReturn = 0x0d
const space = 0x20
const end = Buffer.from('\n')

/** Lays out a line; its line feed is added. */
export function composedLine(...parts: readonly LinePart[]): ComposedLine {
  return laidOut([...parts, end])
}

/** Lays out a last line without a line feed: what is left of a container that ends inside of a value. */
export function unendedLine(...parts: readonly LinePart[]): ComposedLine {
  return laidOut(parts)
}

/** Returns how much memory a line takes, in bytes, roughly. */
export function heldBytes({ pieces }: ComposedLine): number {
  return pieces.reduce(
    (sum, piece) => sum + 100 + (piece instanceof Uint8Array ? piece.length : 0),
    0,
  )
}

/**
 * Writes lines, as far as the container has their stretches. Line feeds and carriage returns of a stretch are spaces: between
 * the values of JSON they mean nothing, and inside of one they cannot be.
 *
 * @throws DiskError
 */
export async function writeComposed(
  container: DiskFile,
  lines: readonly ComposedLine[],
): Promise<Uint8Array> {
  const written: Uint8Array[] = []
  for (const { pieces } of lines)
    for (const piece of pieces) {
      if (piece instanceof Uint8Array) {
        written.push(piece)
        continue
      }
      const length = piece.end - piece.start
      const bytes = await readExactly(container, piece.start, length)
      written.push(withoutLineEnds(bytes))
      if (bytes.length < length) return Buffer.concat(written)
    }
  return Buffer.concat(written)
}

/** Replaces line feeds and carriage returns by spaces, in place. */
export function withoutLineEnds(bytes: Uint8Array): Uint8Array {
  for (const lineEnd of [lineFeed, carriageReturn])
    for (let at = bytes.indexOf(lineEnd); at >= 0; at = bytes.indexOf(lineEnd, at + 1))
      bytes[at] = space
  return bytes
}

function laidOut(parts: readonly LinePart[]): ComposedLine {
  const pieces = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part))
  const bytes = pieces.reduce((sum, piece) => sum + lengthOf(piece), 0)
  return { pieces, bytes }
}

function lengthOf(piece: Uint8Array | Stretch): number {
  return piece instanceof Uint8Array ? piece.length : piece.end - piece.start
}
