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

/** Cuts a snippet around the first of the folded words; without words, the text's beginning. */
export function snippetOf(text: string, words: readonly string[]): Snippet {
  const { folded, rangeOf } = foldWithRanges(text)
  const places = words
    .map((word) => ({ word, at: folded.indexOf(word) }))
    .filter(({ at }) => at >= 0)
  places.sort((a, b) => a.at - b.at)
  const first = places[0]
  const at = first?.at ?? 0
  const from = Math.max(0, at - unitsBefore)
  const to = Math.min(
    folded.length,
    at + Math.max(unitsAfter, Math.min(first?.word.length ?? 0, longestMatch)),
  )
  const [start, end] = rangeOf(from, to)
  const found: [number, number][] = []
  for (const { word } of places) {
    for (let i = folded.indexOf(word, from); i >= 0 && i < to; i = folded.indexOf(word, i + 1)) {
      const [a, b] = rangeOf(i, Math.min(i + word.length, to))
      found.push([Math.max(0, a - start), Math.min(b, end) - start])
    }
  }
  return { snippet: text.slice(start, end), ranges: joined(found) }
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
