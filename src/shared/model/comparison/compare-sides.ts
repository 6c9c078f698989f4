import { countWithNoun } from '../basics/plural'
import type { EntryId } from '../conversation/entry'
import { compareEntries, type EntryChange } from './compare-entries'
import type { ForkedSide } from './forked-side'
import { type SideNumbers, sideNumbers } from './side-numbers'

/** Two sides compared from their fork: the window, the command line and exports show this. */
export interface ComparedSides {
  readonly left: ComparedSide
  readonly right: ComparedSide
  /** False where they share nothing: then all entries are compared. */
  readonly forked: boolean
  /** First words of the last message that both have; empty where there is none. */
  readonly forkWords: string
  /** False where they differ too much to find equal entries. */
  readonly aligned: boolean
  /** Of the entries after the fork, in order. */
  readonly changes: readonly EntryChange[]
}

/** One side: which it is, where it parts from the other, and its numbers after that. */
export interface ComparedSide extends SideNumbers {
  readonly source: string
  readonly key: string
  readonly title: string
  /** The last entry; null where there is none. */
  readonly entry: EntryId | null
  /** Entries that the other side has too. */
  readonly shared: number
  /** The last of those; null where there is none. */
  readonly fork: EntryId | null
}

/**
 * Compares what two sides have after their fork. The outcome is the same on every machine: nothing is cut short by time,
 * and two long texts that share little may take a second.
 */
export function compareSides(left: ForkedSide, right: ForkedSide): ComparedSides {
  const { changes, isComplete } = compareEntries(left.after, right.after)
  return {
    left: comparedSide(left),
    right: comparedSide(right),
    forked: left.shared.entries > 0 || right.shared.entries > 0,
    forkWords: left.shared.words || right.shared.words,
    aligned: isComplete,
    changes,
  }
}

function comparedSide(side: ForkedSide): ComparedSide {
  const { source, key, title } = side.conversation
  return {
    source,
    key,
    title,
    entry: side.after.at(-1)?.id ?? side.shared.last ?? null,
    shared: side.shared.entries,
    fork: side.shared.last ?? null,
    ...sideNumbers(side),
  }
}

/** Says how many damaged lines of a conversation a comparison leaves out; no sentence where there are none. */
export function uncomparedDamage(lines: number, title: string): readonly string[] {
  if (lines === 0) return []
  return [
    `${countWithNoun(lines, 'damaged line', 'damaged lines')} of “${title}” cannot be compared.`,
  ]
}
