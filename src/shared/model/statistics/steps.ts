import { turnaroundSteps } from './conversation-facts'

/** A range of whole numbers or seconds, `until` excluded; null has no end. */
export interface StepRange {
  readonly from: number
  readonly until: number | null
}

/** Begins of the steps of conversations' lengths, in entries. */
const lengthBegins = [0, 5, 10, 20, 50, 100, 200, 500, 1000] as const
/** Begins of the steps of families' branches. */
const branchBegins = [1, 2, 3, 5, 10, 20, 50] as const

/** Steps of conversations' lengths, in entries. */
export const lengthSteps: readonly StepRange[] = rangesOf(lengthBegins)
/** Steps of families, by their branches. */
export const branchSteps: readonly StepRange[] = rangesOf(branchBegins)
/** Steps of turn-around times, in seconds. */
export const turnaroundRanges: readonly StepRange[] = rangesOf(turnaroundSteps)

/** Returns true where a number is in the range. */
export function isInStep(number: number, { from, until }: StepRange): boolean {
  return number >= from && (until === null || number < until)
}

function rangesOf(begins: readonly number[]): readonly StepRange[] {
  return begins.map((from, at) => ({ from, until: begins[at + 1] ?? null }))
}
