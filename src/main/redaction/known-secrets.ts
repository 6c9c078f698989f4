import type { SecretPlace } from './secret-place'
import type { TextView } from './views'

/** Looked for elsewhere, a shorter word would be found where it means something else. */
const leastKnown = 8
const mostKnown = 1000

/** Secrets that are looked for wherever they stand, once their surroundings told them. */
export class KnownSecrets {
  /** By their first characters, then by their lengths. */
  private readonly all = new Map<string, Map<number, Map<string, SecretPlace>>>()

  /** Adds what was found by its surroundings, where it can be told from a word. */
  add(place: SecretPlace): void {
    const { secret } = place
    if (secret.length < leastKnown || secret.length > mostKnown) return
    if (!/\d/.test(secret) || !/\D/.test(secret)) return
    const beginning = secret.slice(0, leastKnown)
    const lengths = this.all.get(beginning) ?? new Map<number, Map<string, SecretPlace>>()
    this.all.set(beginning, lengths)
    const same = lengths.get(secret.length) ?? new Map<string, SecretPlace>()
    lengths.set(secret.length, same)
    same.set(secret, place)
  }

  /** Finds them where they stand alone in one of the views of a text. The time does not depend on how many there are. */
  find(views: readonly TextView[]): readonly SecretPlace[] {
    if (this.all.size === 0) return []
    return views.flatMap((view) => [...this.placesIn(view)])
  }

  private *placesIn({ words, rawStart, rawEnd }: TextView): Generator<SecretPlace> {
    let isInWord = false
    for (let at = 0; at <= words.length - leastKnown; at++) {
      const isBeginning = !isInWord
      isInWord = isWordUnit(words.charCodeAt(at))
      const lengths = isBeginning ? this.all.get(words.slice(at, at + leastKnown)) : undefined
      for (const [length, same] of lengths ?? []) {
        const end = at + length
        if (isWordUnit(words.charCodeAt(end))) continue
        const place = same.get(words.slice(at, end))
        if (place !== undefined) yield { ...place, start: rawStart(at), end: rawEnd(end) }
      }
    }
  }
}

/** An ASCII letter or digit. */
function isWordUnit(unit: number): boolean {
  return (unit >= 48 && unit <= 57) || (unit >= 65 && unit <= 90) || (unit >= 97 && unit <= 122)
}
