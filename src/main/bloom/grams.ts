/** What the filters hold now; another name when that changes, so that old filters are not asked the wrong question. */
export const gramsVersion = 'trigrams-lowercase-1'

const gramLength = 3

/**
 * Adds the grams of a text to a set: each three UTF-16 units that stand side by side in its lower case, as one integer.
 *
 * Different grams may give the same integer, which costs a false positive at most.
 */
export function addGrams(text: string, into: Set<number>): void {
  const folded = text.toLowerCase()
  for (let i = 0; i + gramLength <= folded.length; i++) {
    const a = folded.charCodeAt(i)
    const b = folded.charCodeAt(i + 1)
    const c = folded.charCodeAt(i + 2)
    // ASCII packs into 24 bits without collisions; the rest is spread over 32.
    into.add((a | b | c) < 256 ? (a << 16) | (b << 8) | c : mix(mix(a, b), c))
  }
}

function mix(hash: number, unit: number): number {
  return Math.imul(hash ^ unit ^ (unit << 15), 0x9e3779b1) >>> 0
}
