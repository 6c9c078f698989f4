import { fold, foldWithRanges } from '../basics/fold'
import type { WantedText } from './find'

/** Texts as they are typed: what is compared where no regular expression is wanted. */
export type LiteralText = Pick<WantedText, 'text' | 'matchesCase' | 'wantsWholeWords'>

/** Returns a text as literals are compared with it: folded as search folds, unless case matters. */
export function comparedText(text: string, { matchesCase }: LiteralText): string {
  return matchesCase ? text : fold(text)
}

/** Counts a literal in a text that `comparedText` made; matches do not overlap. Linear. */
export function countLiteral(compared: string, wanted: LiteralText): number {
  let count = 0
  const word = comparedText(wanted.text, wanted)
  for (let at = nextLiteral(compared, word, 0, wanted); at >= 0; ) {
    count += 1
    at = nextLiteral(compared, word, at + word.length, wanted)
  }
  return count
}

/**
 * Finds a literal in a text: ranges in UTF-16 units, in order.
 *
 * @param most matches after which it ends
 * @param skipped matches before the first one that is returned
 */
export function literalRanges(
  text: string,
  wanted: LiteralText,
  most = Number.POSITIVE_INFINITY,
  skipped = 0,
): readonly (readonly [start: number, end: number])[] {
  const word = comparedText(wanted.text, wanted)
  const { matchesCase } = wanted
  if (nextLiteral(comparedText(text, wanted), word, 0, wanted) < 0) return []
  const { folded, rangeOf } = matchesCase ? plainText(text) : foldWithRanges(text)
  const ranges: (readonly [number, number])[] = []
  let before = 0
  for (
    let at = nextLiteral(folded, word, 0, wanted);
    at >= 0 && ranges.length < most;
    at = nextLiteral(folded, word, at + word.length, wanted)
  )
    if (before++ >= skipped) ranges.push(rangeOf(at, at + word.length))
  return ranges
}

function plainText(text: string): ReturnType<typeof foldWithRanges> {
  return { folded: text, rangeOf: (start, end) => [start, end] }
}

function nextLiteral(
  compared: string,
  word: string,
  from: number,
  { wantsWholeWords }: LiteralText,
): number {
  if (word === '') return -1
  let at = compared.indexOf(word, from)
  while (wantsWholeWords && at >= 0 && !isWholeWord(compared, at, at + word.length))
    at = compared.indexOf(word, at + 1)
  return at
}

const ofWords = /[\p{L}\p{N}\p{M}_]/u

/** Returns true where a part of a text begins and ends at borders of words. */
export function isWholeWord(text: string, start: number, end: number): boolean {
  return !ofWords.test(characterBefore(text, start)) && !ofWords.test(characterAt(text, end))
}

function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at)
  return point === undefined ? '' : String.fromCodePoint(point)
}

function characterBefore(text: string, at: number): string {
  const isPair = /[\udc00-\udfff]/.test(text[at - 1] ?? '') && at > 1
  return isPair ? characterAt(text, at - 2) : (text[at - 1] ?? '')
}
