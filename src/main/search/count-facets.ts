import type { EntryLabel } from '../../shared/model/conversation/entry-labels'
import {
  type FacetCounts,
  type FacetsResult,
  mostCountedHits,
} from '../../shared/model/facet-counts'
import {
  type FacetName,
  facetChoice,
  facetNames,
  withFacetChoice,
} from '../../shared/model/query/facets'
import { tallyFacet } from './counts/facet-tally'
import type { Search } from './search'
import type { CountedHits } from './search-run'

/** Options of counting facets. */
export interface FacetOptions {
  /** What is counted so far, after each round of reading. */
  readonly counted?: (facets: readonly FacetCounts[]) => void
  readonly signal?: AbortSignal
  readonly labels?: readonly EntryLabel[] | undefined
  /** Hits of one query after which counting ends; 100,000 by default. */
  readonly most?: number
}

/**
 * Counts the facets of a query: for each value the hits that the query has with it, in place of the facet's own choice. So
 * facets without a choice share one search, and each of the others has its own. An abort ends it with what was counted.
 */
export async function countFacets(
  search: Pick<Search, 'run'>,
  text: string,
  { counted, most = mostCountedHits, ...options }: FacetOptions,
): Promise<FacetsResult> {
  const startedAt = performance.now()
  const known = new Map<FacetName, FacetCounts>()
  const notices = new Set<string>()
  const inOrder = () => facetNames.flatMap((facet) => known.get(facet) ?? [])
  for (const [query, facets] of queriesOf(text)) {
    let hits: CountedHits | undefined
    const tally = (complete: boolean) => {
      for (const facet of facets) {
        const counts = tallyFacet(facet, hits?.facts() ?? [], facetChoice(text, facet))
        known.set(facet, { facet, ...counts, complete })
      }
    }
    const result = await search.run(query, {
      ...options,
      limit: 0,
      counting: {
        isEverything: query.trim() === '',
        mostHits: most,
        counted(now) {
          hits = now
          if (counted === undefined || options.signal?.aborted === true) return
          tally(false)
          counted(inOrder())
        },
      },
    })
    for (const notice of result.notices) notices.add(notice)
    tally(result.complete && result.notices.length === 0)
    counted?.(inOrder())
    if (options.signal?.aborted === true) break
  }
  return {
    facets: inOrder(),
    notices: [...notices],
    elapsedMs: performance.now() - startedAt,
  }
}

/** Queries without a facet's choice, with the facets that each is counted for: those of the whole query first. */
function queriesOf(text: string): readonly (readonly [string, readonly FacetName[]])[] {
  const queries = new Map<string, FacetName[]>()
  for (const facet of facetNames) {
    const query = withFacetChoice(text, facet, [])
    queries.set(query, [...(queries.get(query) ?? []), facet])
  }
  return [...queries].sort(([, a], [, b]) => b.length - a.length)
}
