import vm from 'node:vm'
import { hasTimedOut, runWithTimeLimit } from '../../main/async/time-limit'
import { AppError } from '../../shared/model/basics/errors'
import { UsageError } from '../command/arguments'

/** Places of a pattern in a text, from and to, in UTF-16 units; an empty match is none. */
export type Ranges = readonly (readonly [number, number])[]

/** A regular expression that is stopped where it computes without end. */
export interface SafePattern {
  /** The ranges in each of some texts. @throws AppError `bad-argument` when it takes too long */
  find(texts: readonly string[]): readonly Ranges[]
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

/** Understands a pattern as JavaScript does; `^` and `$` are the ends of lines. @throws UsageError in words */
export function safePattern(source: string, caseSensitive: boolean): SafePattern {
  const re = understood(source, caseSensitive ? 'gmu' : 'gimu')
  const sandbox = vm.createContext({ re, texts: [] })
  return {
    find(texts) {
      const units = texts.reduce((sum, text) => sum + text.length, 0)
      sandbox.texts = texts
      try {
        return runWithTimeLimit(match, sandbox, leastMs + Math.ceil(units / unitsPerMs)) as Ranges[]
      } catch (error) {
        if (!hasTimedOut(error)) throw error
        throw new AppError('bad-argument', 'The pattern takes too long; try a simpler one.')
      } finally {
        sandbox.texts = []
      }
    },
  }
}

function understood(source: string, flags: string): RegExp {
  try {
    return new RegExp(source, flags)
  } catch (error) {
    throw new UsageError(error instanceof Error ? `${error.message}.` : String(error))
  }
}
