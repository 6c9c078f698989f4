import type { PlannedRange } from './plan'
import type { ScanAnswer } from './scan'

/** A match with its place. */
export interface FoundMatch {
  readonly match: ScanAnswer['others'][number]
  readonly range: PlannedRange
}

/** A finder of copies of one entry among matches whose ids alone prove nothing. */
export interface DuplicateFinder {
  /** Signs of the conversation that a match stands in: two that share none hold no copies of one another. */
  signs(found: FoundMatch): Promise<readonly string[]>
  /** Whether two matches of equal text are copies of one entry. False where that cannot be told. */
  isSame(a: FoundMatch, b: FoundMatch): Promise<boolean>
}
