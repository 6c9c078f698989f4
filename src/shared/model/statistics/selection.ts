import { z } from 'zod'
import type { FactsCell, StatisticsFacts } from './conversation-facts'

const DayName = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)

/** Filter of the entries that count: an absent field asks for all. */
export const StatisticsFilter = z.object({
  /** Local days, both counted. */
  from: DayName.optional(),
  until: DayName.optional(),
  source: z.string().max(100).optional(),
  /** Exactly this project; null for conversations without one. */
  project: z.string().max(10_000).nullable().optional(),
  /** Exactly this model; null for entries that name none. */
  model: z.string().max(10_000).nullable().optional(),
})
export type StatisticsFilter = Readonly<z.infer<typeof StatisticsFilter>>

/** A conversation of a selection, with the part of its facts that the filter leaves. */
export interface SelectedFacts {
  readonly facts: StatisticsFacts
  readonly cells: readonly FactsCell[]
  /** Entries, those that count at an older conversation among them. */
  readonly length: number
  /** The first day that counts; turn-arounds that began before it do not. */
  readonly from: string | undefined
}

/**
 * Selects what a filter leaves of conversations. Those without an entry that fits are left out; without a time and a
 * model, all of the source and project are in it.
 */
export function selectFacts(
  conversations: readonly StatisticsFacts[],
  filter: StatisticsFilter = {},
): readonly SelectedFacts[] {
  const { from, until, source, project, model } = filter
  const fits = (part: { readonly day: string; readonly model: string | null }) =>
    (from === undefined || part.day >= from) &&
    (until === undefined || (part.day !== '' && part.day <= until)) &&
    (model === undefined || part.model === model)
  const selected: SelectedFacts[] = []
  for (const facts of conversations) {
    if (source !== undefined && facts.source !== source) continue
    if (project !== undefined && facts.project !== project) continue
    const lengths = facts.lengths.filter(fits)
    const isWhole = from === undefined && until === undefined && model === undefined
    if (lengths.length === 0 && !isWhole) continue
    const length = lengths.reduce((sum, { entries }) => sum + entries, 0)
    // A failure may be in the cell of a model that wrote no entry of that hour.
    selected.push({ facts, cells: facts.cells.filter(fits), length, from })
  }
  return selected
}
