/**
 * A set of hashes as bits: a bloom filter whose size is a power of two, so that a large one folds to a smaller one.
 *
 * Terms are set in a scratch of the largest size while a segment is read; `shrink` then finds the size that its
 * contents deserve. Nobody has to count distinct terms beforehand.
 */

/** The largest filter, in bits: 16 KB, 3 % of a segment of 512 KB. */
export const largestFilterBits = 1 << 17
const smallestFilterBits = 1 << 6

/** Sets the bits of a hash. */
export function setBits(bits: Uint8Array, hash: number, hashes: number): void {
  const mask = bits.length * 8 - 1
  const first = hash & mask
  bits[first >>> 3] = (bits[first >>> 3] ?? 0) | (1 << (first & 7))
  if (hashes === 1) return
  const second = secondOf(hash) & mask
  bits[second >>> 3] = (bits[second >>> 3] ?? 0) | (1 << (second & 7))
}

/** Returns true where a hash may have been set; false means that it certainly was not. An empty filter has none. */
export function hasBits(bits: Uint8Array, hash: number, hashes: number): boolean {
  if (bits.length === 0) return false
  const mask = bits.length * 8 - 1
  const first = hash & mask
  if (((bits[first >>> 3] ?? 0) & (1 << (first & 7))) === 0) return false
  if (hashes === 1) return true
  const second = secondOf(hash) & mask
  return ((bits[second >>> 3] ?? 0) & (1 << (second & 7))) !== 0
}

function secondOf(hash: number): number {
  return Math.imul(hash ^ 0x7f4a7c15, 0x85ebca6b) >>> 13
}

/** Folds a filter in halves while no more than `fullest` of its bits are set. An empty one becomes zero bytes. */
export function shrinkFilter(bits: Uint8Array, fullest: number): Uint8Array {
  // A copy of its own, and four bytes at a time.
  let now = new Uint32Array(bits.slice().buffer)
  if (countBits(now) === 0) return new Uint8Array(0)
  while (now.length * 32 > smallestFilterBits) {
    const half = now.length / 2
    const folded = now.slice(0, half)
    for (let i = 0; i < half; i++) folded[i] = (folded[i] ?? 0) | (now[half + i] ?? 0)
    if (countBits(folded) > fullest * folded.length * 32) break
    now = folded
  }
  return new Uint8Array(now.buffer)
}

function countBits(words: Uint32Array): number {
  let count = 0
  for (let i = 0; i < words.length; i++) {
    let word = words[i] ?? 0
    if (word === 0) continue
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return count
}
