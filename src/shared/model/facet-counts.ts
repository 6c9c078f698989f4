import { z } from 'zod'
import { facetNames } from './query/facets'

/** Counts of one facet: how many hits a query has with each of its values asked for, in place of those that it asks for. */
export const FacetCounts = z.object({
  facet: z.enum(facetNames),
  /** Most hits first, months newest first. Values that the query asks for are there also without a hit. */
  values: z.array(z.object({ value: z.string(), count: z.int() })),
  /** Further values, which are not listed. */
  others: z.int(),
  /** Every hit is counted; false while they are, and where there are too many or some could not be read. */
  complete: z.boolean(),
})
export type FacetCounts = z.infer<typeof FacetCounts>

/** Counts of all facets of a query. */
export const FacetsResult = z.object({
  facets: z.array(FacetCounts),
  /** Hits of the query itself, as far as they were counted. */
  total: z.int(),
  /** The hits of some facet were too many: counting ended at 100,000. */
  isCut: z.boolean(),
  /** Files that could not be read, one sentence each. */
  notices: z.array(z.string()),
  elapsedMs: z.number(),
})
export type FacetsResult = z.infer<typeof FacetsResult>

/** Hits of one query after which counting ends. */
export const mostCountedHits = 100_000
