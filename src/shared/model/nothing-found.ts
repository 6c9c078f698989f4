import { z } from 'zod'

/** Queries next to one that finds nothing, which find something. */
export const NothingFound = z.object({
  /** The query without one of its parts; those that find something, the most hits first. */
  without: z.array(
    z.object({
      /** The part as it is written. */
      part: z.string(),
      query: z.string(),
      hits: z.int(),
      /** There are more hits: counting ends at 100. */
      hasMore: z.boolean(),
    }),
  ),
  /** Words that are there, nearest first, for a word of the query that is not; and what finds something for a pattern. */
  near: z.array(z.object({ word: z.string(), instead: z.string(), query: z.string() })),
})
export type NothingFound = z.infer<typeof NothingFound>
