import type { SearchDecoder } from '../../../shared/model/search'
import { longestNeedle, mostNeedles } from './byte-search'

/** Texts that are in the bytes of a line, in any case, where an entry of it has the words of a query. */
export interface Needles {
  /** The longest first; at least one. Folded, and ASCII alone. */
  readonly texts: readonly string[]
  /** Whether one has more than letters and digits: then more characters of a line can stand for what is in it. */
  readonly haveSigns: boolean
}

const letters = /[a-z0-9]+/g
/** What JSON writes as it is, inside of a text and nowhere between values; a slash may be escaped. */
const lettersAndSigns = /[ !#-+\-.0-9;-@^-z|~]+/g
/** What numbers are made of. */
const numeric = /^[-+.0-9e]*$/

/** Finds the needles of folded words; undefined where they have none, and lines must be looked at otherwise. */
export function needlesOf(
  words: readonly string[],
  decoder: Pick<Extract<SearchDecoder, { unit: 'line' }>, 'keepsSigns' | 'restatesNumbers'>,
): Needles | undefined {
  const pattern = decoder.keepsSigns ? lettersAndSigns : letters
  const runs = words
    .flatMap((word) => word.match(pattern) ?? [])
    .filter((run) => !decoder.restatesNumbers || !numeric.test(run))
    .map((run) => run.slice(0, longestNeedle))
  if (runs.length === 0) return undefined
  const texts = [...new Set(runs)].sort((a, b) => b.length - a.length).slice(0, mostNeedles)
  return { texts, haveSigns: texts.some((text) => /[^a-z0-9]/.test(text)) }
}
