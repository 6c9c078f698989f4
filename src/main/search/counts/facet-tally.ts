import { fold } from '../../../shared/model/basics/fold'
import type { FacetCounts } from '../../../shared/model/facet-counts'
import { monthOf } from '../../../shared/model/query/dates'
import type { FacetName } from '../../../shared/model/query/facets'
import type { Sliced } from '../../disk/pacing/slices'

/** Facts of a hit, or of a copy of it, that facets count. */
export interface HitFacts {
  readonly source: string
  readonly type?: string | undefined
  readonly role?: string | undefined
  readonly tool?: string | undefined
  readonly model?: string | undefined
  readonly project?: string | undefined
  readonly branch?: string | undefined
  /** Unix seconds: its own time, else its conversation's. */
  readonly seconds: number | null
}

/** Values listed of a facet. */
const mostValues = 200
/** Hits, or comparisons of values, between two looks at whether other work of the thread waits. */
export const hitsOfTurn = 1024

/** Facets whose field asks for a part of a fact, so that a value counts where it stands in a longer one. */
const partFacets: ReadonlySet<FacetName> = new Set(['project', 'model'])

/**
 * Counts the values of a facet over hits: a hit counts for a value once, where one of its copies has it. Works in slices of
 * `hitsOfTurn`.
 *
 * @param hits the facts of each hit and of its copies @param chosen values that are listed in any case
 */
export function* tallyFacet(
  facet: FacetName,
  hits: Iterable<readonly HitFacts[]>,
  chosen: readonly string[],
): Sliced<Pick<FacetCounts, 'values' | 'others'>> {
  /** How a value is written, by its folded form: as a hit has it, else as it was chosen. */
  const written = new Map<string, string>()
  /** Numbers of hits by the folded values that they have. */
  const kinds = new Map<string, { readonly has: readonly string[]; count: number }>()
  let steps = 0
  for (const facts of hits) {
    if (++steps % hitsOfTurn === 0) yield 0
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
  for (const value of chosen) if (!written.has(fold(value))) written.set(fold(value), value)
  const counts = new Map([...written.keys()].map((value) => [value, 0]))
  for (const { has, count } of kinds.values()) {
    let held: readonly string[] = has
    if (partFacets.has(facet)) {
      held = [...written.keys()].filter((value) => has.some((whole) => whole.includes(value)))
      // Each kind is compared with every value.
      steps += written.size
      if (steps >= hitsOfTurn) yield 0
      steps %= hitsOfTurn
    }
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
