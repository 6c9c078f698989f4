import { type Sliced, sliceBytes } from './slices'

/** Decodes bytes as UTF-8 in slices and replaces bad ones, as `toString` does. */
export function* decodeText(bytes: Buffer, from: number, end: number): Sliced<string> {
  if (end - from <= sliceBytes) return bytes.toString('utf8', from, end)
  const pieces: string[] = []
  for (const piece of piecesOf(bytes, from, end)) {
    pieces.push(piece)
    yield sliceBytes
  }
  return pieces.join('')
}

/** Joins pieces of bytes in slices, as `Buffer.concat` does at once. */
export function* joinBytes(pieces: readonly Uint8Array[]): Sliced<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  let yielded = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
    if (at - yielded < sliceBytes) continue
    yield at - yielded
    yielded = at
  }
  return whole
}

/** Counts the UTF-16 units of bytes as text. */
export function* textLength(bytes: Buffer, from: number, end: number): Sliced<number> {
  let length = 0
  for (const piece of piecesOf(bytes, from, end)) {
    length += piece.length
    if (end - from > sliceBytes) yield sliceBytes
  }
  return length
}

/** Returns true where the text from `from` on is only white space, as `trim` defines it. */
export function* isBlankText(bytes: Buffer, from: number): Sliced<boolean> {
  for (const piece of piecesOf(bytes, from, bytes.length)) {
    if (piece.trim() !== '') return false
    yield sliceBytes
  }
  return true
}

/** Returns true where every byte from `from` on is zero and there is at least one. */
export function* isAllZero(bytes: Buffer, from: number): Sliced<boolean> {
  for (let at = from; at < bytes.length; at += sliceBytes) {
    if (bytes.subarray(at, at + sliceBytes).some((byte) => byte !== 0)) return false
    yield sliceBytes
  }
  return bytes.length > from
}

function* piecesOf(bytes: Buffer, from: number, end: number): Generator<string> {
  for (let at = from; at < end; ) {
    const to = at + sliceBytes < end ? characterStart(bytes, at + sliceBytes) : end
    yield bytes.toString('utf8', at, to)
    at = to
  }
}

/**
 * Returns the offset at which the UTF-8 character at `at` begins, at most three bytes before it; among bytes that are
 * not UTF-8 it may be any of these.
 */
export function characterStart(bytes: Uint8Array, at: number): number {
  let begin = at
  for (let n = 0; n < 3 && ((bytes[begin] ?? 0) & 0xc0) === 0x80; n++) begin -= 1
  return begin
}
