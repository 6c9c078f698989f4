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
import { entryBranches } from '../../shared/model/query/query-fields'
import { runInSlices, type YieldToOthers, yieldWhenDue } from '../disk/pacing/slices'
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
  /** Lets other work of the thread go on, between slices of hits. */
  readonly giveWay?: YieldToOthers
}

/**
 * Counts the facets of a query: for each value the hits that the query has with it, in place of the facet's own choice. So
 * facets without a choice share one search, and each of the others has its own. Counts in turns of the thread. An abort ends it with
 * what was counted.
 */
export async function countFacets(
  search: Pick<Search, 'run'>,
  text: string,
  { counted, most = mostCountedHits, giveWay = yieldWhenDue(), ...options }: FacetOptions,
): Promise<FacetsResult> {
  const startedAt = performance.now()
  const known = new Map<FacetName, FacetCounts>()
  const notices = new Set<string>()
  const inOrder = () => facetNames.flatMap((facet) => known.get(facet) ?? [])
  const isStopped = () => options.signal?.aborted === true
  let isCut = false
  let tallyBranches: (() => Promise<void>) | undefined

  /** Searches a query to its end, and counts facets over its hits. Returns how many hits it has. */
  async function count(query: string, facets: readonly FacetName[]): Promise<number> {
    let tallied = 0
    const tally = async (hits: CountedHits, complete: boolean) => {
      tallied = hits.total
      for (const facet of facets) await tallyOne(facet, hits, complete && facet !== 'branch')
      counted?.(inOrder())
    }
    const tallyOne = async (facet: FacetName, hits: CountedHits, complete: boolean) => {
      const listed = [...facetChoice(text, facet), ...(hits.total > 0 ? alwaysListed(facet) : [])]
      const work = tallyFacet(facet, hits.facts(), listed)
      known.set(facet, { facet, ...(await runInSlices(work, giveWay)), complete })
    }
    let last: CountedHits = noHits
    const result = await search.run(query, {
      ...options,
      limit: 0,
      counting: {
        isEverything: query.trim() === '',
        mostHits: most,
        async counted(hits) {
          last = hits
          // Each time all hits are gone through: so only when there are a good deal more.
          if (counted === undefined || isStopped() || hits.total < tallied * growth) return
          await tally(hits, false)
        },
      },
    })
    for (const notice of result.notices) notices.add(notice)
    isCut ||= !result.complete && !isStopped()
    const isWhole = result.complete && result.notices.length === 0
    await tally(last, isWhole)
    if (facets.includes('branch'))
      tallyBranches = async () => {
        const unread = await last.readBranches()
        for (const notice of unread) notices.add(notice)
        await tallyOne('branch', last, isWhole && unread.length === 0 && !isStopped())
      }
    return result.total
  }

  let total: number | undefined
  for (const [query, facets] of queriesOf(text)) {
    const hits = await count(query, facets)
    if (query === text) total = hits
    if (isStopped()) break
  }
  // Where every facet has a choice, no facet is counted over the query itself.
  if (total === undefined && !isStopped()) total = await count(text, [])
  // On which branches hits are, other files than those of the words may tell: after every other facet.
  if (!isStopped()) await tallyBranches?.()
  return {
    facets: inOrder(),
    total: total ?? 0,
    isCut,
    notices: [...notices],
    elapsedMs: performance.now() - startedAt,
  }
}

/** How many times as many hits as before are counted anew while the search goes on. */
const growth = 1.5
const noHits: CountedHits = { total: 0, facts: () => [], readBranches: async () => [] }

/** Values that a facet has also without a hit. */
function alwaysListed(facet: FacetName): readonly string[] {
  return facet === 'branch' ? entryBranches : []
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
