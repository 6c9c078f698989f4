import type { PlacedEntry } from '../../../shared/model/search'

/** Kind of a text with a match, the best first; the numbers are those of `relevanceOf`. */
export const matchKinds = ['title', 'prompt', 'said', 'arguments', 'result', 'damaged'] as const
/** Kind of a text with a match. */
export type MatchKind = (typeof matchKinds)[number]

/** Characters within which the words of a query begin: beside each other, in a line, in a paragraph. */
const steps = [20, 100, 1000] as const
/** Places of one word, and words of a query, that are looked at. */
const mostPlaces = 1000
const mostTerms = 31

/** Returns the kind of an entry's text. */
export function matchKindOf({ field, role, type }: PlacedEntry): MatchKind {
  if (field !== 'content') return field
  return role === 'user' && type === 'message' ? 'prompt' : 'said'
}

/**
 * Returns how well a text matches, the higher the better. First counts how many of the query's words and phrases it has, then how many
 * of these as whole words, then how near to each other they begin where they are nearest (within 20, 100, 1,000 characters, or more),
 * then the kind of the text. Looks at 31 words and at 1,000 places of each; else linear in the text.
 *
 * @param folded the text @param terms for each word or phrase the folded texts that it may be
 */
export function relevanceOf(
  folded: string,
  terms: readonly (readonly string[])[],
  kind: MatchKind,
): number {
  const found = terms
    .slice(0, mostTerms)
    .map((term) => placesIn(folded, term))
    .filter((places) => places.length > 0)
  const whole = found.filter((places) => places.some(({ isWhole }) => isWhole)).length
  const distance = smallestDistance(found)
  const near = steps.filter((most) => distance <= most).length
  const rank = matchKinds.length - 1 - matchKinds.indexOf(kind)
  const counts = found.length * (mostTerms + 1) + whole
  return (counts * (steps.length + 1) + near) * matchKinds.length + rank
}

/** A place of a word in a text: where it begins, and whether it begins and ends where words do. */
interface WordPlace {
  readonly from: number
  readonly isWhole: boolean
}

const ofWords = /[\p{L}\p{N}\p{M}_]/u

/** The first places of each text of a term. */
function placesIn(folded: string, texts: readonly string[]): readonly WordPlace[] {
  const places: WordPlace[] = []
  for (const text of texts) {
    let count = 0
    for (
      let from = folded.indexOf(text);
      from >= 0 && count < mostPlaces;
      from = folded.indexOf(text, from + 1), count++
    ) {
      const to = from + text.length
      places.push({ from, isWhole: !isInside(folded, from) && !isInside(folded, to) })
    }
  }
  return places
}

/** Returns true for a place in the middle of a word. */
function isInside(text: string, at: number): boolean {
  return ofWords.test(characterBefore(text, at)) && ofWords.test(characterAt(text, at))
}

function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0x20)
}

function characterBefore(text: string, at: number): string {
  const isPair = /[\udc00-\udfff]/.test(text[at - 1] ?? '')
  return at === 0 ? ' ' : characterAt(text, isPair ? at - 2 : at - 1)
}

/** Returns the smallest distance between the first and the last beginning of places, one of each term; 0 for a single term. */
function smallestDistance(found: readonly (readonly WordPlace[])[]): number {
  if (found.length < 2) return 0
  const all = found.flatMap((places, term) => places.map(({ from }) => ({ from, term })))
  all.sort((a, b) => a.from - b.from)
  /** The last place of each term so far: of all before a place, the nearest ones. */
  const last = new Map<number, number>()
  let least = Number.POSITIVE_INFINITY
  for (const { from, term } of all) {
    last.set(term, from)
    if (last.size === found.length) least = Math.min(least, from - Math.min(...last.values()))
  }
  return least
}
