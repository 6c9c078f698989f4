import { foldWithRanges } from '../../shared/model/basics/fold'

/** UTF-16 units before the first match, and after its start. */
const unitsBefore = 60
const unitsAfter = 180
/** A longer match is shown by its beginning. */
const longestMatch = 1000

/** A part of a text around the first match, with the places of the words in it. */
export interface Snippet {
  readonly snippet: string
  readonly ranges: [number, number][]
}

/** TextPlaces in a text, from and to, in UTF-16 units; in order. */
export type TextPlaces = readonly (readonly [number, number])[]

/**
 * Cuts a snippet around the first of the folded words, or of further places; without any, the text's beginning.
 *
 * @param further places that are marked, too: those of patterns
 */
export function snippetOf(
  text: string,
  words: readonly string[],
  further: TextPlaces = [],
): Snippet {
  const { folded, rangeOf } = foldWithRanges(text)
  const places = words
    .map((word) => ({ word, at: folded.indexOf(word) }))
    .filter(({ at }) => at >= 0)
  places.sort((a, b) => a.at - b.at)
  const first = places[0]
  const at = first?.at ?? 0
  const length = Math.max(unitsAfter, Math.min(first?.word.length ?? 0, longestMatch))
  const [other] = further
  const isOther =
    other !== undefined && (first === undefined || other[0] < (rangeOf(at, at + 1)[0] ?? 0))
  const [start, end] = isOther
    ? aroundPlace(text, other)
    : rangeOf(Math.max(0, at - unitsBefore), Math.min(folded.length, at + length))
  const found: [number, number][] = further.flatMap(([a, b]): [number, number][] =>
    a < end && b > start && a < b ? [[Math.max(0, a - start), Math.min(b, end) - start]] : [],
  )
  for (const { word, at: firstAt } of places) {
    for (let i = firstAt; i >= 0; i = folded.indexOf(word, i + 1)) {
      const [a, b] = rangeOf(i, i + word.length)
      if (a >= end) break
      if (b > start) found.push([Math.max(0, a - start), Math.min(b, end) - start])
    }
  }
  return { snippet: text.slice(start, end), ranges: joined(found) }
}

/** Cuts between characters, as far before and after a place as for words. */
function aroundPlace(text: string, [from, to]: readonly [number, number]): [number, number] {
  const length = Math.max(unitsAfter, Math.min(to - from, longestMatch))
  return [
    betweenCharacters(text, Math.max(0, from - unitsBefore)),
    betweenCharacters(text, Math.min(text.length, from + length)),
  ]
}

/** Moves a place out of the middle of a pair of surrogates. */
function betweenCharacters(text: string, at: number): number {
  const isInside =
    /[\udc00-\udfff]/.test(text[at] ?? '') && /[\ud800-\udbff]/.test(text[at - 1] ?? '')
  return isInside ? at - 1 : at
}

/** Sorts ranges and joins those that overlap. */
function joined(ranges: [number, number][]): [number, number][] {
  ranges.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  const apart: [number, number][] = []
  for (const range of ranges) {
    const last = apart.at(-1)
    if (last !== undefined && range[0] < last[1]) last[1] = Math.max(last[1], range[1])
    else apart.push(range)
  }
  return apart
}
