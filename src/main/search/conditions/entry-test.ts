import { fold } from '../../../shared/model/basics/fold'
import type { PlacedEntry } from '../../../shared/model/search'
import { type LeafCondition, leafConditions, type RegexCondition, truthOf } from './condition'
import type { Conditions } from './conditions'
import { type EntryConversation, factHolds } from './holds'
import { PatternMatcher, placesOfPattern } from './text-patterns'

/** An entry of a range, to be tested. */
interface TestedEntry {
  /** Of the range. */
  readonly number: number
  readonly entry: PlacedEntry
  readonly range: {
    readonly of: EntryConversation
    /** Whether the conditions on the conversation hold, by their numbers. */
    readonly scope: readonly boolean[]
  }
}

/** An entry that passed, with the places of patterns in its text. */
interface PassedEntry extends TestedEntry {
  readonly places: readonly (readonly [number, number])[]
}

/** Size in UTF-16 units of what waits for patterns: those run on many texts at once, since each run has its price. */
const mostWaiting = 1 << 20

/** A test of entries by the conditions of a query: most are decided at once, those that hang on a pattern that may take long in batches. */
export class EntryTest {
  private readonly conditions: Conditions
  private readonly pass: (passed: PassedEntry) => void
  private readonly patterns: ReadonlyMap<RegexCondition, PatternMatcher>
  /** Those whose places are told: they are not under a `not`. */
  private readonly marking: readonly RegexCondition[]
  private waiting: TestedEntry[] = []
  /** They pass, and wait for places alone. */
  private passing: TestedEntry[] = []
  private waitingUnits = 0
  private slow = 0

  constructor(conditions: Conditions, pass: (passed: PassedEntry) => void) {
    const { root } = conditions
    const leaves = root === undefined ? [] : leafConditions(root)
    const asked = root === undefined ? [] : leafConditions(root, false)
    this.conditions = conditions
    this.pass = pass
    this.patterns = new Map(
      leaves.flatMap((leaf) => (leaf.type === 'regex' ? [[leaf, new PatternMatcher(leaf)]] : [])),
    )
    this.marking = asked.flatMap((leaf) => (leaf.type === 'regex' ? [leaf] : []))
  }

  take(tested: TestedEntry): void {
    const { text } = tested.entry
    const known = new Map<RegexCondition, PassedEntry['places'] | undefined>()
    const placesOf = (pattern: RegexCondition) => {
      if (!known.has(pattern)) known.set(pattern, this.patterns.get(pattern)?.placesIn(text))
      return known.get(pattern)
    }
    const truth = this.truth(tested, (pattern) => {
      const found = placesOf(pattern)
      return found && found.length > 0
    })
    if (truth === false) return
    if (truth === true) {
      // The first part that holds decides, and the places of all are wanted.
      const places = this.marking.map(placesOf)
      if (!places.includes(undefined)) {
        this.pass({ ...tested, places: inOrder(places.flatMap((found) => found ?? [])) })
        return
      }
    }
    if (truth === true) this.passing.push(tested)
    else this.waiting.push(tested)
    this.waitingUnits += text.length
    if (this.waitingUnits > mostWaiting) this.decide()
  }

  /** Decides what waits. Returns what is to be said of texts that could not be decided. */
  finish(): readonly string[] {
    this.decide()
    if (this.slow === 0) return []
    const texts = this.slow === 1 ? 'one text' : `${this.slow} texts`
    return [`The pattern takes too long on ${texts}, which may hold further hits.`]
  }

  private decide(): void {
    // Those that hang on a pattern come first: after some on which it takes too long, no others are tried.
    const waiting = [...this.waiting, ...this.passing]
    const texts = waiting.map(({ entry }) => entry.text)
    const found = new Map(
      [...this.patterns.keys()].map((pattern) => [
        pattern,
        texts.length === 0 ? [] : placesOfPattern(pattern, texts),
      ]),
    )
    for (const [at, tested] of waiting.entries()) {
      const truth = this.truth(tested, (pattern) => {
        const places = found.get(pattern)?.[at]
        return places && places.length > 0
      })
      if (truth === undefined) this.slow += 1
      if (truth !== true) continue
      const places = this.marking.flatMap((pattern) => found.get(pattern)?.[at] ?? [])
      this.pass({ ...tested, places: inOrder(places) })
    }
    this.waiting = []
    this.passing = []
    this.waitingUnits = 0
  }

  private truth(
    { entry, range }: TestedEntry,
    matches: (pattern: RegexCondition) => boolean | undefined,
  ): boolean | undefined {
    const { root } = this.conditions
    if (root === undefined) return false
    let folded: string | undefined
    return truthOf(root, (leaf: LeafCondition) => {
      if (leaf.type === 'regex') return matches(leaf)
      if (leaf.type !== 'word') return factHolds(leaf, entry, range.of, range.scope)
      folded ??= fold(entry.text)
      return folded.includes(leaf.folded)
    })
  }
}

function inOrder(places: (readonly [number, number])[]): PassedEntry['places'] {
  return places.sort((a, b) => a[0] - b[0])
}
