/**
 * What bytes show of a text without decoding it. A word of ASCII letters and digits is in the bytes of its line as
 * it is, in any case, unless something there folds to ASCII: `ﬁ`, `Ａ`, `™`, `²`, or an escape. The same holds for runs
 * of Han, kana and Hangul. Lines with such a hazard must be decoded to know.
 *
 * The lists name what is safe, so that what nobody thought of is a hazard. They are for bytes read as Latin-1.
 */

// Second and third bytes of UTF-8 sequences whose characters, under any Unicode, fold to nothing with a-z or 0-9.
const safeBesideAscii = [
  '\\xc2[\\x80-\\xa9\\xab-\\xb1\\xb4-\\xb8\\xbb\\xbf]',
  '\\xc3',
  '\\xc4[^\\xb0\\xb1\\xb2\\xb3\\xbf]',
  '\\xc5[^\\x80\\x89\\xbf]',
  '\\xc6',
  '\\xc7[^\\x84-\\x8c\\xb1-\\xb3]',
  '[\\xc8\\xc9]',
  '\\xca[\\x80-\\xaf]',
  '\\xcc[^\\x87]',
  '[\\xcd-\\xe0]',
  '\\xe1(?:[\\x80-\\xb3\\xb8\\xb9\\xbb-\\xbf]|\\xba[^\\x9a\\x9b])',
  '\\xe2(?:\\x80|\\x81[\\x80-\\xaf]|\\x82[\\xa0-\\xa7\\xa9-\\xbf]|\\x83|\\x86[\\x90-\\xbf]|[\\x87-\\x90]|\\x91[\\x80-\\x9f]|[\\x94-\\xb0\\xb2-\\xbf]|\\xb1[^\\xbc\\xbd])',
  '\\xe3[\\x80-\\x87\\x90-\\xbf]',
  '[\\xe4-\\xe9]',
  '\\xea[\\x80-\\x9b\\xa0-\\xac\\xae-\\xbf]',
  '[\\xeb-\\xee]',
  '\\xef(?:[\\x80-\\xab\\xad-\\xbb\\xbe\\xbf]|\\xbc[\\x81-\\x8f\\x9a-\\xa0\\xbb-\\xbf]|\\xbd[\\x80\\x9b-\\xbf])',
  '\\xf0(?:\\x9f[\\x8c-\\xab]|[\\xa0-\\xaf])',
]

// Controls, punctuation to "?", the backtick, no-break space, Latin letters with marks, Greek to Tibetan, dashes and
// quotes, box drawing and other pictures. Not \u0008 to \u000d but \u000b: JSON that is written anew has a letter for each of
// them, which then stands before the next word as if it were its first.
// No flag for case: in Latin-1 the bytes e2 and c2 are a letter's two cases.
// U+0307 is none of them: behind an i it goes.
const harmlessEscape =
  '000[0-7bBeEfF]|00[12]|003[a-fA-F]|0060|00[aA]0|00[c-fC-F]|0(?!307)[3-9a-fA-F]|20[0-6]|2[5-7]'

const asciiHazard = new RegExp(
  `\\\\u(?!${harmlessEscape})|(?!${safeBesideAscii.join('|')})[\\xc2-\\xf4]`,
  'g',
)

// Of these, second and third bytes of characters that fold to something with other ASCII: spaces, accents that stand by
// themselves, dashes, quotes and dots, and signs in other widths.
const signsBesideAscii = [
  '\\xc2[\\xa0\\xa8\\xab\\xaf\\xb4\\xb8\\xbb]',
  '\\xcd[\\xba\\xbe]',
  '\\xce[\\x84\\x85]',
  '\\xe1(?:\\xbe[\\xbd\\xbf]|\\xbf)',
  '\\xe2(?:\\x80[\\x80-\\x8a\\x90-\\x95\\x97-\\x9f\\xa4-\\xa6\\xaf\\xb9\\xba\\xbc\\xbe]|\\x81[\\x87-\\x89\\x9f]|\\xa9[\\xb4-\\xb6])',
  '\\xe3(?:\\x80\\x80|\\x82[\\x9b\\x9c])',
  '\\xef(?:\\xb1[\\x9e-\\xa3]|\\xb7[\\xba\\xbb]|[\\xb8\\xb9]|\\xbc|\\xbd[\\x80-\\xa0]|\\xbf[\\xa0-\\xaf])',
]

// Controls as above, Latin letters with marks, Greek to Tibetan without what has an accent by itself, marks of direction, ends of
// lines and pictures. Escapes of ASCII are none of them.
const harmlessSignEscape =
  '000[0-7bBeEfF]|001|00[c-fC-F]|03[9a-fA-F]|0[4-9a-fA-F]|200[b-fB-F]|202[89]|2[5-7]'

const signHazard = new RegExp(
  `\\\\u(?!${harmlessSignEscape})|${signsBesideAscii.join('|')}|(?!${safeBesideAscii.join('|')})[\\xc2-\\xf4]`,
  'g',
)

// Of these, those with a space or an underscore in what they fold to: neither quotes nor dashes nor dots.
const joinsBesideAscii = [
  '\\xc2[\\xa0\\xa8\\xaf\\xb4\\xb8]',
  '\\xcd\\xba',
  '\\xce[\\x84\\x85]',
  '\\xe1(?:\\xbe[\\xbd\\xbf]|\\xbf)',
  '\\xe2(?:\\x80[\\x80-\\x8a\\x97\\xaf\\xbe]|\\x81\\x9f)',
  '\\xe3(?:\\x80\\x80|\\x82[\\x9b\\x9c])',
  '\\xef(?:\\xb1[\\x9e-\\xa3]|\\xb7[\\xba\\xbb]|[\\xb8\\xb9]|\\xbc\\xbf|\\xbf[\\xa0-\\xaf])',
]

// Those that are harmless to letters, without what has a space or an underscore.
const harmlessJoinEscape =
  '000[0-7bBeEfF]|001|002[1-9a-fA-F]|003[a-fA-F]|0060|00[c-fC-F]|0(?!307|37[aA]|38[45])[3-9a-fA-F]|20(?:0[b-fB-F]|1[0-689a-fA-F]|2[0-9a-eA-E]|3[0-9a-dA-DfF]|4|5[0-9a-eA-E]|6)|2[5-7]'

const joinHazard = new RegExp(
  `\\\\u(?!${harmlessJoinEscape})|${joinsBesideAscii.join('|')}|(?!${safeBesideAscii.join('|')})[\\xc2-\\xf4]`,
  'g',
)

// The same for what may fold to, or compose, unified ideographs, kana or Hangul syllables.
const safeBesideCjk = [
  '[\\xc2-\\xe0]',
  '\\xe1[^\\x84-\\x87]',
  '\\xe2[^\\xba-\\xbf]',
  '\\xe3(?:[\\x81\\x87\\x90-\\xbf]|\\x80[^\\xb8-\\xba]|\\x82[^\\x99-\\x9f]|\\x83[^\\xbf]|\\x84[\\x80-\\xb0])',
  '[\\xe4-\\xe9\\xeb\\xec\\xee]',
  '\\xea[^\\xa5]',
  '\\xed(?:[\\x80-\\x9d]|\\x9e[\\x80-\\xaf])',
  '\\xef(?:[\\x80-\\xa3\\xac-\\xbc]|\\xbd[\\x80-\\xa5])',
  '\\xf0(?:\\x9f[\\x8c-\\xab]|[\\xa0-\\xae])',
]

const cjkHazard = new RegExp(
  `\\\\u(?:[3-9a-fA-F]|11|2[eEfF])|(?!${safeBesideCjk.join('|')})[\\xc2-\\xf4]`,
  'g',
)

/**
 * Patterns of what must not be in a line for its bytes to tell whether a run is in its text: `ascii` for letters and digits,
 * `joins` for these and spaces and underscores, `signs` for any ASCII that JSON writes as it is and never otherwise, spaces among it, `cjk` for Han, kana and Hangul. For bytes read as Latin-1.
 * They are global: set `lastIndex` before use.
 */
export const hazards = {
  ascii: asciiHazard,
  joins: joinHazard,
  signs: signHazard,
  cjk: cjkHazard,
} as const

/**
 * Returns what of a line's ASCII its bytes do not show: signs alone, or letters and digits too.
 *
 * @param latin1 bytes read as Latin-1
 */
export function hazardsOf(latin1: string): 'none' | 'signs' | 'any' {
  signHazard.lastIndex = 0
  if (!signHazard.test(latin1)) return 'none'
  asciiHazard.lastIndex = 0
  return asciiHazard.test(latin1) ? 'any' : 'signs'
}
