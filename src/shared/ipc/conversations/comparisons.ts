import { z } from 'zod'
import {
  ComparedRow,
  ComparePoint,
  ComparisonOverview,
} from '../../model/comparison/comparison-view'
import { ComparisonFormat } from '../../model/export'
import { call } from '../wire/primitives'

/** Identifies an open comparison, among all of this window. */
export const ComparisonId = z.int()
export type ComparisonId = z.infer<typeof ComparisonId>

/** Calls of comparisons of two conversations. One is open at a time. */
export const comparisonsContract = {
  /**
   * Compares two ways from their fork, each up to an entry or up to where its conversation is now. Closes the comparison
   * before: its calls end with `cancelled`. Throws `not-found`, `bad-argument` (both are the same, or one is too long),
   * `unreadable`, `cancelled`.
   */
  open: call(
    z.object({ left: ComparePoint, right: ComparePoint }),
    z.object({ id: ComparisonId, view: ComparisonOverview }),
  ),
  /** Rows by number; fewer at the end. Throws `cancelled` for a comparison that is not open any more. */
  rows: call(
    z.object({
      id: ComparisonId,
      from: z.int().nonnegative(),
      limit: z.int().min(1).max(100),
    }),
    z.array(ComparedRow),
  ),
  /**
   * Asks for a place by the system's dialog and writes the comparison there; null when it was cancelled. A file that was
   * there before remains until the new one is whole. Throws `cancelled`, `bad-argument`, `disk-full`, `io`.
   */
  save: call(
    z.object({ id: ComparisonId, format: ComparisonFormat }),
    z
      .object({
        /** As people write it: `~/Documents/garden.md`. */
        file: z.string(),
        bytes: z.int(),
      })
      .nullable(),
  ),
  /** Lets the open comparison go. */
  close: call(z.void(), z.void()),
}
