import type { Random } from './random'
import type { TextsCorpus } from './texts-corpus'

/** Queries of one kind, as people type them; a phrase without its quotes. */
export interface QueryClass {
  readonly name: string
  readonly queries: readonly string[]
  /** They are regular expressions. */
  readonly arePatterns?: true
  /** They are parts of words, which an index of whole words cannot find. */
  readonly areParts?: true
}

const pairs = (text: string) => text.match(/\b[a-z]{5,12} [a-z]{4,12}\b/g)

/** A pattern as people write it for two words: blanks of any kind, other endings, one or another. */
function patternFrom(words: string | undefined, random: Random): string | undefined {
  const [first = '', second = ''] = words?.split(' ') ?? []
  if (second === '') return undefined
  return [
    `${first}\\s+${second.slice(0, -1)}\\w*`,
    `\\b${first}[^.]{1,20}${second}\\b`,
    `(?:${first}|${second})_\\w+\\(`,
  ][random.below(3)]
}

const each = 27
const triesOfEach = 4000

/** Draws queries of every kind from a corpus: the same for the same corpus and seed. */
export function drawQueryClasses(
  corpus: Pick<TextsCorpus, 'sample' | 'entries'>,
  random: Random,
): readonly QueryClass[] {
  const { texts: sample, entriesOf } = corpus.sample
  const count = (word: string) => entriesOf.get(word) ?? 0
  const isRare = (word: string) => count(word) >= 1 && count(word) <= 3
  // Common: in at least one of 500 entries.
  const isCommon = (word: string) => count(word) * 500 >= corpus.entries
  const draw = (name: string, from: (text: string) => string | undefined): QueryClass => {
    const queries = new Set<string>()
    for (let tries = 0; tries < triesOfEach && queries.size < each; tries++) {
      const query = from(sample[random.below(sample.length)] ?? '')
      if (query !== undefined) queries.add(query)
    }
    return { name, queries: [...queries] }
  }
  const pick = (list: readonly string[] | null) => list?.[random.below(list.length)]
  const letters = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + random.below(26))).join('')
  return [
    draw('rare word', (text) =>
      pick((text.match(/\b[a-z]{6,14}\b/g) ?? []).filter((word) => isRare(word))),
    ),
    draw('identifier', (text) =>
      pick((text.match(/\b[a-z]+(?:_[a-z]+)+\b/g) ?? []).filter((word) => isRare(word))),
    ),
    {
      ...draw('part of a word', (text) => {
        const word = pick(text.match(/[a-z]{9,14}/g))
        return word?.slice(2, 2 + 5 + random.below(3))
      }),
      areParts: true,
    },
    draw('phrase of three common words', (text) =>
      pick(
        (text.match(/\b[a-z]{3,10} [a-z]{3,10} [a-z]{3,10}\b/g) ?? []).filter((phrase) =>
          phrase.split(' ').every(isCommon),
        ),
      ),
    ),
    draw('absent', () => {
      const word = letters(12)
      return count(word) === 0 ? word : undefined
    }),
    { ...draw('two letters', (text) => pick(text.match(/[a-z]{2}/g))), areParts: true },
    {
      ...draw('pattern with a literal', (text) => patternFrom(pick(pairs(text)), random)),
      arePatterns: true,
    },
  ]
}
