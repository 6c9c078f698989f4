import vm from 'node:vm'
import { AppError } from '../../shared/model/basics/errors'
import { hasTimedOut, runWithTimeLimit } from '../async/time-limit'
import type { SecretPlace } from './secret-place'

/** Patterns that a person wrote, tried on several texts at once. */
export interface OwnPatterns {
  /** Returns the places in each text. @throws AppError `bad-argument` where one computes without end */
  find(texts: readonly string[]): readonly (readonly SecretPlace[])[]
}

/** Limit: some 64 KB of text are searched in a millisecond, and 60 times as long is allowed, plus a quarter of a second. */
const unitsPerMs = 1000
const leastMs = 250

const match = new vm.Script(
  `(() => {
    const all = texts, pattern = re, found = []
    for (const text of all) {
      const ranges = []
      for (const { 0: match, index } of text.matchAll(pattern))
        if (match !== '') ranges.push([index, index + match.length])
      found.push(ranges)
    }
    return found
  })()`,
)

/**
 * Compiles own patterns: `/regex/flags` is a regular expression as JavaScript has it, anything else the text itself, in any case.
 *
 * @throws AppError `bad-argument` in words
 */
export function compileOwnPatterns(patterns: readonly string[]): OwnPatterns {
  const all = patterns.map((pattern) => ({
    pattern,
    sandbox: vm.createContext({ re: compiledPattern(pattern), texts: [] }),
  }))
  return {
    find(texts) {
      const found: SecretPlace[][] = texts.map(() => [])
      for (const { pattern, sandbox } of all)
        for (const [n, ranges] of rangesOf(pattern, sandbox, texts).entries())
          for (const [start, end] of ranges) {
            const secret = texts[n]?.slice(start, end) ?? ''
            found[n]?.push({ group: 'own', kind: 'own pattern', start, end, secret })
          }
      return found
    },
  }
}

function rangesOf(pattern: string, sandbox: vm.Context, texts: readonly string[]) {
  const units = texts.reduce((sum, text) => sum + text.length, 0)
  sandbox.texts = texts
  try {
    const limit = leastMs + Math.ceil(units / unitsPerMs)
    return runWithTimeLimit(match, sandbox, limit) as (readonly [number, number])[][]
  } catch (error) {
    if (!hasTimedOut(error)) throw error
    throw new AppError(
      'bad-argument',
      `Nothing was written: the pattern ${pattern} takes too long; try a simpler one.`,
    )
  } finally {
    sandbox.texts = []
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
