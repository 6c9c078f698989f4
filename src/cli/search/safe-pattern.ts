import { type PatternRanges, patternFinder } from '../../main/async/pattern-ranges'
import { hasTimedOut } from '../../main/async/time-limit'
import { AppError } from '../../shared/model/basics/errors'
import { UsageError } from '../command/arguments'

/** A regular expression that is stopped where it computes without end. */
export interface SafePattern {
  /** The ranges in each of some texts. @throws AppError `bad-argument` when it takes too long */
  find(texts: readonly string[]): readonly PatternRanges[]
}

/** Understands a pattern as JavaScript does; `^` and `$` are the ends of lines. @throws UsageError in words */
export function safePattern(source: string, caseSensitive: boolean): SafePattern {
  const find = patternFinder(understood(source, caseSensitive ? 'gmu' : 'gimu'))
  return {
    find(texts) {
      try {
        return find(texts)
      } catch (error) {
        if (!hasTimedOut(error)) throw error
        throw new AppError('bad-argument', 'The pattern takes too long; try a simpler one.')
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
