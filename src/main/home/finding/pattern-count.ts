import vm from 'node:vm'
import { isWholeWord } from '../../../shared/model/find/literal'
import { compiledRegex } from '../../../shared/model/query/regex'
import { hasTimedOut, runWithTimeLimit } from '../../async/time-limit'

/** A regular expression as a person typed it. */
export interface WantedPattern {
  readonly text: string
  readonly matchesCase: boolean
  readonly wantsWholeWords: boolean
}

/** Limit: some 64 KB of text are searched in a millisecond, and 60 times as long is allowed, plus a quarter of a second. */
const unitsPerMs = 1000
const leastMs = 250

/** Matches of no character are none that a reader sees. */
const script = new vm.Script(
  `(() => {
    // A busy machine has the limit tried again, from the beginning.
    done.length = 0
    const pattern = re, isWhole = wantsWholeWords, whole = isWholeWord, most = mostPlaces, before = skipped
    for (const text of texts) {
      const ranges = []
      let count = 0
      pattern.lastIndex = 0
      for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
        const start = found.index, end = start + found[0].length
        if (end === start) {
          const isPair = text.codePointAt(end) > 0xffff
          pattern.lastIndex = end + (isPair ? 2 : 1)
          continue
        }
        if (isWhole && !whole(text, start, end)) continue
        count += 1
        if (count > before && ranges.length < most) ranges.push([start, end])
      }
      done.push({ count, ranges })
    }
  })()`,
)

/** Matches of a pattern in one text: their number, and some as ranges in UTF-16 units. */
export interface PatternMatches {
  readonly count: number
  readonly ranges: readonly (readonly [number, number])[]
}

/** Says why a pattern is none; undefined where it is one. */
export function patternFault(text: string): string | undefined {
  try {
    compiledRegex(text, '')
    return undefined
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^.*: /s, '')
    return `This is no regular expression: ${reason}.`
  }
}

/**
 * Finds a pattern in some texts, from the first on; fewer answers than texts where the next one makes it compute without end.
 * Stops the engine by its own limit, so whoever calls it waits a while.
 *
 * @param most ranges that are given of a text
 * @param skipped matches of a text before the first one that is given
 */
export function matchesOfPattern(
  { text, matchesCase, wantsWholeWords }: WantedPattern,
  texts: readonly string[],
  most: number,
  skipped = 0,
): readonly PatternMatches[] {
  const done: PatternMatches[] = []
  const re = compiledRegex(text, matchesCase ? '' : 'i')
  const given = { re, texts, done, wantsWholeWords, isWholeWord, mostPlaces: most, skipped }
  const units = texts.reduce((sum, one) => sum + one.length, 0)
  try {
    runWithTimeLimit(script, vm.createContext(given), leastMs + Math.ceil(units / unitsPerMs))
  } catch (error) {
    if (!hasTimedOut(error)) throw error
  }
  return done
}
