import fc from 'fast-check'

/** Words, line ends, runs of spaces, and each other sign alone. */
export const wordsOf = (text: string): readonly string[] =>
  text.match(/\r?\n|\w+|[^\S\r\n]+|[\s\S]/g) ?? []

/** How many words two texts have in common, in order: the table of every pair of their beginnings. */
export function wordsInCommon(before: string, after: string): number {
  const others = wordsOf(after)
  let above = new Array<number>(others.length + 1).fill(0)
  for (const word of wordsOf(before)) {
    const row = [0]
    others.forEach((other, at) => {
      const best = Math.max(above[at + 1] ?? 0, row[at] ?? 0)
      row.push(word === other ? (above[at] ?? 0) + 1 : best)
    })
    above = row
  }
  return above.at(-1) ?? 0
}

/** Pairs of texts of these words: two of chance, or one that was edited in a few places. */
export function pairsOfTexts(words: readonly string[]): fc.Arbitrary<[string, string]> {
  const word = fc.constantFrom(...words)
  const text = fc.array(word, { maxLength: 60 }).map((drawn) => drawn.join(''))
  const edits = fc.array(fc.tuple(fc.nat(60), word), { maxLength: 6 })
  return fc.oneof(
    fc.tuple(text, text),
    fc.tuple(text, edits).map(([before, drawn]): [string, string] => {
      const after = [...wordsOf(before)]
      for (const [at, other] of drawn) after.splice(at, at % 2, other)
      return [before, after.join('')]
    }),
  )
}
