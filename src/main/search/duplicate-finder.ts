import type { PlannedRange } from './plan'
import type { ScanAnswer } from './scan'

/** A match with its place. */
export interface FoundMatch {
  readonly match: ScanAnswer['others'][number]
  readonly range: PlannedRange
}

/** A finder of copies of one entry among matches whose ids alone prove nothing. */
export interface DuplicateFinder {
  /** Returns signs of the conversation of a match: two that share none hold no copies of one another. */
  signs(found: FoundMatch): Promise<readonly string[]>
  /** Resolves to true where two matches of equal text are copies of one entry; false where that is unknown. */
  isSame(a: FoundMatch, b: FoundMatch): Promise<boolean>
}
