import { fold } from '../../../shared/model/basics/fold'
import type { FacetCounts } from '../../../shared/model/facet-counts'
import { monthOf } from '../../../shared/model/query/dates'
import type { FacetName } from '../../../shared/model/query/facets'

/** Facts of a hit, or of a copy of it, that facets count. */
export interface HitFacts {
  readonly source: string
  readonly type?: string | undefined
  readonly role?: string | undefined
  readonly tool?: string | undefined
  readonly model?: string | undefined
  readonly project?: string | undefined
  /** Unix seconds: its own time, else its conversation's. */
  readonly seconds: number | null
}

/** Values listed of a facet. */
const mostValues = 200

/** Facets whose field asks for a part of a fact, so that a value counts where it stands in a longer one. */
const partFacets: ReadonlySet<FacetName> = new Set(['project', 'model'])

/**
 * Counts the values of a facet over hits: a hit counts for a value once, where one of its copies has it.
 *
 * @param hits the facts of each hit and of its copies @param chosen values that are listed in any case
 */
export function tallyFacet(
  facet: FacetName,
  hits: Iterable<readonly HitFacts[]>,
  chosen: readonly string[],
): Pick<FacetCounts, 'values' | 'others'> {
  /** How a value is written, by its folded form. */
  const written = new Map(chosen.map((value) => [fold(value), value]))
  /** Numbers of hits by the folded values that they have. */
  const kinds = new Map<string, { readonly has: readonly string[]; count: number }>()
  for (const facts of hits) {
    const has = new Set<string>()
    for (const one of facts) {
      const value = factOf(facet, one)
      if (value === undefined || value === '') continue
      const folded = fold(value)
      has.add(folded)
      if (!written.has(folded)) written.set(folded, value)
    }
    if (has.size === 0) continue
    const name = JSON.stringify(has.size === 1 ? [...has] : [...has].sort())
    const kind = kinds.get(name)
    if (kind === undefined) kinds.set(name, { has: [...has], count: 1 })
    else kind.count += 1
  }
  const counts = new Map([...written.keys()].map((value) => [value, 0]))
  for (const { has, count } of kinds.values()) {
    const held = partFacets.has(facet)
      ? [...written.keys()].filter((value) => has.some((whole) => whole.includes(value)))
      : has
    for (const value of held) counts.set(value, (counts.get(value) ?? 0) + count)
  }
  return listed(facet, counts, written, new Set(chosen.map(fold)))
}

function factOf(facet: FacetName, facts: HitFacts): string | undefined {
  if (facet !== 'month') return facts[facet]
  return facts.seconds === null ? undefined : monthOf(facts.seconds)
}

function listed(
  facet: FacetName,
  counts: ReadonlyMap<string, number>,
  written: ReadonlyMap<string, string>,
  chosen: ReadonlySet<string>,
): Pick<FacetCounts, 'values' | 'others'> {
  const all = [...counts].map(([folded, count]) => ({
    folded,
    value: written.get(folded) ?? folded,
    count,
  }))
  const byValue = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  all.sort((a, b) =>
    facet === 'month' ? byValue(b.value, a.value) : b.count - a.count || byValue(a.value, b.value),
  )
  const shown = all.filter(({ folded }, index) => index < mostValues || chosen.has(folded))
  return {
    values: shown.map(({ value, count }) => ({ value, count })),
    others: all.length - shown.length,
  }
}
