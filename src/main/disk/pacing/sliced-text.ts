import { type Sliced, sliceBytes } from './slices'

/** Bytes as text, bad UTF-8 replaced, as `toString` has it. */
export function* decodeText(bytes: Buffer, from: number, end: number): Sliced<string> {
  if (end - from <= sliceBytes) return bytes.toString('utf8', from, end)
  const pieces: string[] = []
  for (const piece of piecesOf(bytes, from, end)) {
    pieces.push(piece)
    yield sliceBytes
  }
  return pieces.join('')
}

/** Joins pieces of bytes, as `Buffer.concat` does. */
export function* joinBytes(pieces: readonly Uint8Array[]): Sliced<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  let told = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
    if (at - told < sliceBytes) continue
    yield at - told
    told = at
  }
  return whole
}

/** The UTF-16 units of bytes as text. */
export function* textLength(bytes: Buffer, from: number, end: number): Sliced<number> {
  let length = 0
  for (const piece of piecesOf(bytes, from, end)) {
    length += piece.length
    if (end - from > sliceBytes) yield sliceBytes
  }
  return length
}

/** Whether there is nothing but blanks, of any kind. */
export function* isBlankText(bytes: Buffer, from: number): Sliced<boolean> {
  for (const piece of piecesOf(bytes, from, bytes.length)) {
    if (piece.trim() !== '') return false
    yield sliceBytes
  }
  return true
}

/** Whether every byte is zero, and there is one. */
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

/** Where a character begins, at a place or a little before; any place among bytes that are no UTF-8. */
export function characterStart(bytes: Uint8Array, at: number): number {
  let begin = at
  for (let n = 0; n < 3 && ((bytes[begin] ?? 0) & 0xc0) === 0x80; n++) begin -= 1
  return begin
}
