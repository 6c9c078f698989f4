import vm from 'node:vm'
import { runWithTimeLimit } from './time-limit'

/** Places of a pattern in a text, from and to, in UTF-16 units; an empty match is none. */
export type PatternRanges = readonly (readonly [start: number, end: number])[]

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
 * Returns what finds a global pattern that a person wrote in some texts at once, and is stopped where it computes without end: it
 * throws then what `hasTimedOut` tells. Between two calls it holds no text.
 */
export function patternFinder(re: RegExp): (texts: readonly string[]) => readonly PatternRanges[] {
  const sandbox = vm.createContext({ re, texts: [] })
  return (texts) => {
    const units = texts.reduce((sum, text) => sum + text.length, 0)
    sandbox.texts = texts
    try {
      const limit = leastMs + Math.ceil(units / unitsPerMs)
      return runWithTimeLimit(match, sandbox, limit) as PatternRanges[]
    } finally {
      sandbox.texts = []
    }
  }
}
