/** Shortest word for which others are looked for, and shortest part of one that is told. In characters. */
export const shortestWord = 4
/** Length from which two letters may be wrong, and not one. */
const longWord = 7

/** Returns how many letters of a word may be wrong. */
export function mostWrong(word: string): number {
  return [...word].length < longWord ? 1 : 2
}

/** A collector of the words that are nearest to a word: few letters wrong, or a part of it. Words are folded. */
export class NearWords {
  private readonly word: string
  private readonly letters: readonly string[]
  private readonly most: number
  private readonly found = new Map<string, number>()

  constructor(word: string) {
    this.word = word
    this.letters = [...word]
    this.most = mostWrong(word)
  }

  take(other: string): void {
    if (other === this.word || this.found.has(other)) return
    const distance = distanceOf(this.letters, [...other], this.most)
    if (distance !== undefined) this.found.set(other, distance)
    // A part of it comes behind all that are spelled like it.
    else if (other.length >= shortestWord && this.isAtEdge(other))
      this.found.set(other, this.most + this.word.length - other.length)
  }

  /** The nearest ones; of equally near ones those that begin alike, then by length and letters. */
  nearest(count: number): readonly string[] {
    const beginsAlike = (other: string) => (other[0] === this.word[0] ? 0 : 1)
    return [...this.found]
      .sort(
        ([a, near], [b, far]) =>
          near - far ||
          beginsAlike(a) - beginsAlike(b) ||
          b.length - a.length ||
          (a < b ? -1 : a > b ? 1 : 0),
      )
      .slice(0, count)
      .map(([other]) => other)
  }

  private isAtEdge(other: string): boolean {
    return this.word.startsWith(other) || this.word.endsWith(other)
  }
}

/**
 * Counts the letters to add, leave out, replace, or swap with their neighbours until two words are equal; undefined where these
 * are more than `most`.
 */
export function distanceOf(
  a: readonly string[],
  b: readonly string[],
  most: number,
): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined
  let twoBack: number[] = []
  let back = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let cost = Math.min(
        (back[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (back[j - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (twoBack[j - 2] ?? 0) + 1)
      row.push(cost)
      least = Math.min(least, cost)
    }
    if (least > most) return undefined
    twoBack = back
    back = row
  }
  const distance = back[b.length] ?? 0
  return distance <= most ? distance : undefined
}

/**
 * Cuts a word into one piece more than letters may be wrong: at least one of them stands in any word that is near. Letters
 * that are swapped at a cut may be in none.
 */
export function wordPieces(word: string): readonly string[] {
  const letters = [...word]
  const count = mostWrong(word) + 1
  const length = Math.ceil(letters.length / count)
  return Array.from({ length: count }, (_, n) =>
    letters.slice(n * length, (n + 1) * length).join(''),
  ).filter((piece) => piece !== '')
}
