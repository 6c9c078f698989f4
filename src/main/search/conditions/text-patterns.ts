import vm from 'node:vm'
import { pushAll } from '../../../shared/model/basics/long-lists'
import { compiledRegex } from '../../../shared/model/query/regex'
import { hasTimedOut, runWithTimeLimit } from '../../async/time-limit'
import type { RegexCondition } from './condition'
import { stepsOn } from './pattern-cost'

/** Places of a pattern in a text, from and to, in UTF-16 units. */
type Ranges = readonly (readonly [number, number])[]

/** Limit: some 64 KB of text are searched in a millisecond, and 60 times as long is allowed, plus a quarter of a second. */
const unitsPerMs = 1000
const leastMs = 250
/** Texts on which a pattern may take too long before the others are not tried either. */
const mostSlow = 2
/** Places in one text that are told: a snippet shows a few. */
const mostPlaces = 1000
/** Steps that a pattern may take on a text without a limit: a part of the time that it may take with one. */
const mostSteps = 2 ** 27

const match = new vm.Script(
  `(() => {
    // A busy machine has the limit tried again, from the beginning.
    done.length = 0
    const all = texts, pattern = re, most = mostPlaces
    for (const text of all) {
      const ranges = []
      pattern.lastIndex = 0
      for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
        ranges.push([found.index, found.index + found[0].length])
        const isPair = pattern.unicode && text.codePointAt(pattern.lastIndex) > 0xffff
        if (found[0] === '') pattern.lastIndex += isPair ? 2 : 1
        if (ranges.length >= most) break
      }
      done.push(ranges)
    }
  })()`,
)

/**
 * A matcher of one pattern on texts at once, where the pattern cannot compute for long on them: a limit of the engine has its
 * price, some tenths of a millisecond.
 */
export class PatternMatcher {
  private readonly cost: RegexCondition['cost']
  private readonly regex: RegExp
  private units = 0
  private spentMs = 0

  constructor({ source, flags, cost }: Pick<RegexCondition, 'source' | 'flags' | 'cost'>) {
    this.cost = cost
    this.regex = compiledRegex(source, flags)
  }

  /** Finds the places of the pattern in a text; undefined where that must be left to `placesOfPattern`, and its limit. */
  placesIn(text: string): Ranges | undefined {
    const { cost, regex } = this
    if (cost === undefined || !(stepsOn(cost, text.length) <= mostSteps)) return undefined
    // Many texts may take long together.
    if (this.spentMs > leastMs + this.units / unitsPerMs) return undefined
    const before = performance.now()
    const ranges: [number, number][] = []
    regex.lastIndex = 0
    for (let found = regex.exec(text); found !== null; found = regex.exec(text)) {
      ranges.push([found.index, found.index + found[0].length])
      // From the middle of a character the search would go back to its beginning.
      const isPair = regex.unicode && (text.codePointAt(regex.lastIndex) ?? 0) > 0xffff
      if (found[0] === '') regex.lastIndex += isPair ? 2 : 1
      if (ranges.length >= mostPlaces) break
    }
    this.spentMs += performance.now() - before
    this.units += text.length
    return ranges
  }
}

/**
 * Finds the places of a pattern in each of some texts; undefined for a text on which it computes without end, and for those
 * behind the second of these. Stops the engine by its own limit, so whoever calls it waits a while.
 */
export function placesOfPattern(
  { source, flags }: { readonly source: string; readonly flags: string },
  texts: readonly string[],
): readonly (Ranges | undefined)[] {
  const places: (Ranges | undefined)[] = []
  for (let slow = 0; places.length < texts.length && slow < mostSlow; ) {
    const rest = texts.slice(places.length)
    const { done, isStopped } = run(source, flags, rest)
    pushAll(places, done)
    if (!isStopped) break
    places.push(undefined)
    slow += 1
  }
  while (places.length < texts.length) places.push(undefined)
  return places
}

let kept: vm.Context | undefined

/** The one context of this thread: making one takes longer than most batches. Patterns and texts leave nothing in it. */
function sandboxWith(values: object): vm.Context {
  kept ??= vm.createContext({})
  return Object.assign(kept, values)
}

function run(source: string, flags: string, texts: readonly string[]) {
  const done: Ranges[] = []
  const re = compiledRegex(source, flags)
  const sandbox = sandboxWith({ re, texts, done, mostPlaces })
  const units = texts.reduce((sum, text) => sum + text.length, 0)
  try {
    runWithTimeLimit(match, sandbox, leastMs + Math.ceil(units / unitsPerMs))
    return { done, isStopped: false }
  } catch (error) {
    if (!hasTimedOut(error)) throw error
    return { done, isStopped: true }
  } finally {
    sandboxWith({ texts: [], done: [] })
  }
}
