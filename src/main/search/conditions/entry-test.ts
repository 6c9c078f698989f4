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
  private waiting: TestedEntry[] = []
  private waitingUnits = 0
  private slow = 0

  constructor(conditions: Conditions, pass: (passed: PassedEntry) => void) {
    const leaves = conditions.root === undefined ? [] : leafConditions(conditions.root)
    this.conditions = conditions
    this.pass = pass
    this.patterns = new Map(
      leaves.flatMap((leaf) => (leaf.type === 'regex' ? [[leaf, new PatternMatcher(leaf)]] : [])),
    )
  }

  take(tested: TestedEntry): void {
    const { text } = tested.entry
    const places: (readonly [number, number])[] = []
    const truth = this.truth(tested, (pattern) => {
      const found = this.patterns.get(pattern)?.placesIn(text)
      places.push(...(found ?? []))
      return found && found.length > 0
    })
    if (truth === true) this.pass({ ...tested, places: inOrder(places) })
    if (truth !== undefined) return
    this.waiting.push(tested)
    this.waitingUnits += tested.entry.text.length
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
    const { waiting } = this
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
      const places = [...found.values()].flatMap((all) => all[at] ?? [])
      this.pass({ ...tested, places: inOrder(places) })
    }
    this.waiting = []
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
