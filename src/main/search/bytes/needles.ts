import type { SearchDecoder } from '../../../shared/model/search'
import { longestNeedle, mostNeedles } from './byte-search'

/** Texts that are in the bytes of a line, in any case, where an entry of it has all words of a list. */
export interface NeedleGroup {
  /** The longest first; at least one. Folded, and ASCII alone. */
  readonly texts: readonly string[]
  /** The runs of letters and digits in them: they are there also where something else stands for a sign. */
  readonly letters: readonly string[]
}

/**
 * Signs that needles have beside letters and digits: none; only what joins words, a space or an underscore; or others too. Other
 * characters of a line can stand for each of these.
 */
export type NeedleSigns = 'none' | 'joins' | 'any'

/** Needles of alternatives: an entry that matches has all of one group. */
export interface Needles {
  readonly groups: readonly NeedleGroup[]
  readonly signs: NeedleSigns
}

const letters = /[a-z0-9]+/g
/** What JSON writes as it is, inside of a text and nowhere between values; a slash may be escaped. */
const lettersAndSigns = /[ !#-+\-.0-9;-@^-z|~]+/g
/** What numbers are made of. */
const numeric = /^[-+.0-9e]*$/

/**
 * Finds the needles of lists of folded words; undefined where one list has none, or there are too many lists, so that lines must be
 * looked at otherwise.
 */
export function needlesOf(
  lists: readonly (readonly string[])[],
  decoder: Pick<Extract<SearchDecoder, { unit: 'line' }>, 'keepsSigns' | 'restatesNumbers'>,
): Needles | undefined {
  const mostOfGroup = Math.floor(mostNeedles / 2 / lists.length)
  if (mostOfGroup < 1) return undefined
  const pattern = decoder.keepsSigns ? lettersAndSigns : letters
  const groups: NeedleGroup[] = []
  for (const words of lists) {
    const all = words
      .flatMap((word) => word.match(pattern) ?? [])
      .filter((run) => !decoder.restatesNumbers || !numeric.test(run))
      .map((run) => run.slice(0, longestNeedle))
    const telling = all.filter((run) => /[a-z0-9]/.test(run))
    // Signs by themselves are nearly everywhere, and many characters may stand for them.
    const runs = telling.length > 0 ? telling : all
    if (runs.length === 0) return undefined
    const ofLetters = runs
      .flatMap((run) => run.match(letters) ?? [])
      .filter((run) => !decoder.restatesNumbers || !numeric.test(run))
    groups.push({
      texts: longestOf(runs, mostOfGroup),
      letters: longestOf(ofLetters, mostOfGroup),
    })
  }
  const all = groups.flatMap(({ texts }) => texts).join('')
  return { groups, signs: /[^a-z0-9_ ]/.test(all) ? 'any' : /[_ ]/.test(all) ? 'joins' : 'none' }
}

function longestOf(runs: readonly string[], most: number): readonly string[] {
  return [...new Set(runs)].sort((a, b) => b.length - a.length).slice(0, most)
}
