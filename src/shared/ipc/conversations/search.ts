import { z } from 'zod'
import { LibraryKey } from '../../model/conversation/conversation'
import { EntryId } from '../../model/conversation/entry'
import { FacetCounts, FacetsResult } from '../../model/facet-counts'
import { HitPreview } from '../../model/hit-preview'
import { NothingFound } from '../../model/nothing-found'
import { SearchCounts, SearchHit, SearchOrder, SearchResult, SearchScope } from '../../model/search'
import { call, event } from '../wire/primitives'

/** Names a search of this window; made by the window. */
export const SearchId = z.string().min(1).max(64).brand<'SearchId'>()
export type SearchId = z.infer<typeof SearchId>

/** Calls and events of search. */
export const searchContract = {
  /**
   * Finds entries and titles, in an order. Hits come as `found` events meanwhile; the result has them all again, in
   * order. Never throws because of what was asked: what cannot be parsed is taken literally. Throws `unreadable`.
   */
  query: call(
    z.object({
      searchId: SearchId,
      query: z.string().max(10_000),
      limit: z.int().min(1).max(1000),
      /** The newest hits without it. */
      order: SearchOrder.optional(),
      /** Asks for entries of some conversations alone, such as a family: the result then has the place of every hit. */
      scope: SearchScope.optional(),
    }),
    SearchResult,
  ),
  /** Ends a search early; its call resolves with what was found. Does nothing when it has ended. */
  cancel: call(z.object({ searchId: SearchId }), z.void()),
  /**
   * The entry of a hit with its neighbours, each cut to what a preview shows: the entry around the match. Without a place the
   * conversation's beginning. Throws `not-found`, `unreadable`.
   */
  preview: call(
    z.object({
      key: LibraryKey,
      at: z
        .object({ file: z.string(), offset: z.int().nonnegative(), entry: EntryId.optional() })
        .optional(),
      /** Of the hit: the match is found by them. */
      snippet: SearchHit.shape.snippet.max(100_000),
      ranges: SearchHit.shape.ranges,
    }),
    HitPreview,
  ),
  /**
   * Counts the facets of a query: exact numbers of hits, up to 100,000 of a query. `counted` tells them meanwhile. `cancel` ends it
   * with what was counted. Throws `unreadable`.
   */
  facets: call(z.object({ searchId: SearchId, query: z.string().max(10_000) }), FacetsResult),
  /**
   * Finds queries next to one that finds nothing: without one of its parts, and with words that are there. `cancel` ends it. Throws
   * `unreadable`.
   */
  explain: call(z.object({ searchId: SearchId, query: z.string().max(10_000) }), NothingFound),
  /** Facets as far as they are counted; at most ten a second. */
  counted: event(z.object({ searchId: SearchId, facets: z.array(FacetCounts) })),
  /** New hits, in no order; some may fall out of the limit again. */
  found: event(z.object({ searchId: SearchId, hits: z.array(SearchHit) })),
  /** At most ten a second. */
  progress: event(z.object({ searchId: SearchId, segments: SearchCounts })),
  /** The part of the library that has its filters; while they are built, and once when that is done. */
  index: event(z.object({ bytes: z.number(), bytesDone: z.number(), building: z.boolean() })),
}
