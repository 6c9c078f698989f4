import { AppError } from '../../shared/model/basics/errors'
import { type PatternRanges, patternFinder } from '../async/pattern-ranges'
import { hasTimedOut } from '../async/time-limit'
import type { SecretPlace } from './secret-place'

/** Patterns that a person wrote, tried on several texts at once. */
export interface OwnPatterns {
  /** Returns the places in each text. @throws AppError `bad-argument` where one computes without end */
  find(texts: readonly string[]): readonly (readonly SecretPlace[])[]
}

/**
 * Compiles own patterns: `/regex/flags` is a regular expression as JavaScript has it, anything else the text itself, in any case.
 *
 * @throws AppError `bad-argument` in words
 */
export function compileOwnPatterns(patterns: readonly string[]): OwnPatterns {
  const all = patterns.map((pattern) => ({
    pattern,
    finder: patternFinder(compiledPattern(pattern)),
  }))
  return {
    find(texts) {
      const found: SecretPlace[][] = texts.map(() => [])
      for (const { pattern, finder } of all)
        for (const [n, ranges] of rangesOf(pattern, finder, texts).entries())
          for (const [start, end] of ranges) {
            const secret = texts[n]?.slice(start, end) ?? ''
            found[n]?.push({ group: 'own', kind: 'own pattern', start, end, secret })
          }
      return found
    },
  }
}

function rangesOf(
  pattern: string,
  finder: ReturnType<typeof patternFinder>,
  texts: readonly string[],
): readonly PatternRanges[] {
  try {
    return finder(texts)
  } catch (error) {
    if (!hasTimedOut(error)) throw error
    throw new AppError(
      'bad-argument',
      `Nothing was written: the pattern ${pattern} takes too long; try a simpler one.`,
    )
  }
}

function compiledPattern(pattern: string): RegExp {
  const { 1: source, 2: flags = '' } = /^\/(.+)\/([imsu]*)$/s.exec(pattern) ?? []
  if (source === undefined)
    return new RegExp(pattern.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'), 'giu')
  try {
    const unicode = flags.includes('u') ? '' : 'u'
    return new RegExp(source, `g${flags}${unicode}`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new AppError('bad-argument', `The pattern ${pattern} cannot be used: ${why}.`)
  }
}
