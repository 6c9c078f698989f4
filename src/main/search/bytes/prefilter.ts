import { hazards } from '../../segments/index-lookup'

/** A filter that finds the lines of a block that may match, from their bytes alone. */
export interface Prefilter {
  /**
   * Returns a place in the next line that may match, at or after `from`; -1 where no further line may.
   *
   * @param latin1 bytes read as Latin-1
   */
  next(latin1: string, from: number): number
}

/** The prefilter that lets every line pass. */
export const noPrefilter: Prefilter = { next: (latin1, from) => (from < latin1.length ? from : -1) }

/**
 * Returns a prefilter for texts that have all of the folded words of one of some lists. It searches for one run of ASCII
 * letters and digits of each list, or else of Han, kana or Hangul, in any case; and for hazards, where bytes do not decide.
 * Never misses a line.
 *
 * @param lists at least one
 *
 * @param withoutHazards the block is known to have no hazards for ASCII
 *
 * @param restatesNumbers see `SearchDecoder`: what may be of a number says nothing then
 */
export function prefilterFor(
  lists: readonly (readonly string[])[],
  withoutHazards: boolean,
  restatesNumbers = false,
): Prefilter {
  const patterns = new Set<RegExp>()
  for (const words of lists) {
    const ascii = longestRun(words, /[a-z0-9]+/g, restatesNumbers ? ofNumbers : undefined)
    if (ascii !== undefined) {
      patterns.add(new RegExp(ascii, 'gi'))
      if (!withoutHazards) patterns.add(hazards.ascii)
      continue
    }
    const cjk = longestRun(words, cjkRun)
    if (cjk === undefined) return noPrefilter
    patterns.add(new RegExp(escaped(Buffer.from(cjk).toString('latin1')), 'g')).add(hazards.cjk)
  }
  return nearestOf([...patterns])
}

/** Returns a prefilter that also lets lines pass that have an ASCII text in these very letters. */
export function orText(prefilter: Prefilter, ascii: string): Prefilter {
  const found = { text: '', at: -2 }
  return {
    next(latin1, from) {
      // Searched again only when it was passed.
      if (found.text !== latin1 || (found.at !== -1 && found.at < from)) {
        found.text = latin1
        found.at = latin1.indexOf(ascii, from)
      }
      const at = prefilter.next(latin1, from)
      return at < 0 || (found.at >= 0 && found.at < at) ? found.at : at
    },
  }
}

const cjkRun = /[\u3041-\u3096\u30a1-\u30fa\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3]+/g

/** The characters that `1e+21` is made of. */
const ofNumbers = /[0-9]|^e$/

function longestRun(
  words: readonly string[],
  pattern: RegExp,
  without?: RegExp,
): string | undefined {
  const runs = words
    .flatMap((word) => word.match(pattern) ?? [])
    .filter((run) => !without?.test(run))
  return runs.sort((a, b) => b.length - a.length)[0]
}

/** Returns the nearest of several matches; each is searched again only when it was passed. */
function nearestOf(patterns: readonly RegExp[]): Prefilter {
  const found = patterns.map((pattern) => ({ pattern, text: '', at: -2 }))
  return {
    next(latin1, from) {
      let nearest = -1
      for (const each of found) {
        if (each.text !== latin1 || (each.at !== -1 && each.at < from)) {
          each.text = latin1
          each.at = indexOf(each.pattern, latin1, from)
        }
        if (each.at >= 0 && (nearest < 0 || each.at < nearest)) nearest = each.at
      }
      return nearest
    },
  }
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
