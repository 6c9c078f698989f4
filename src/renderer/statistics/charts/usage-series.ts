import {
  addDays,
  type CalendarStep,
  nextBegin,
  stepBegin,
} from '../../../shared/model/statistics/calendar'
import type { StatisticsMark } from '../../../shared/model/statistics/marks'
import type { UsageRow } from '../../../shared/model/statistics/statistics-shape'

/** Numbers of usage that a picture can show. */
export type UsageMeasure = 'tokens' | 'cost'
/** Groups of usage that a picture can show. */
export type UsageGrouping = 'model' | 'project'

/** Series of a picture of usage: a model, a project, or all that have no series of their own. */
export interface UsageSeries {
  /** Undefined for the rest. */
  readonly name: string | null | undefined
  readonly names: readonly (string | null)[]
  readonly sum: number
}

/** Value of a series in a stretch of days. */
export interface UsageSegment {
  readonly series: number
  readonly value: number
  /** Undefined for the rest, whose conversations may be the same. */
  readonly conversations: number | undefined
  readonly mark: StatisticsMark
}

/** Stretch of days with its values. */
export interface UsageStretch {
  readonly from: string
  readonly until: string
  readonly segments: readonly UsageSegment[]
}

/** Series with their values in every stretch, those without usage among them. */
export interface UsagePicture {
  readonly series: readonly UsageSeries[]
  readonly stretches: readonly UsageStretch[]
}

/** Series that are told apart by colour and pattern; what is left is one more. */
const mostSeries = 5
/** Stretches in a picture; above that only those with usage are shown. */
const mostStretches = 60

/**
 * Parts usage into series, the largest first.
 *
 * @param days both counted; those of the rows where they are absent
 */
export function usagePicture(
  rows: readonly UsageRow[],
  {
    measure,
    by,
    step,
    days,
  }: {
    readonly measure: UsageMeasure
    readonly by: UsageGrouping
    readonly step: CalendarStep
    readonly days: { readonly from?: string | undefined; readonly until?: string | undefined }
  },
): UsagePicture {
  const amountOf = (row: UsageRow) => (measure === 'tokens' ? row.total : (row.cost ?? 0))
  const shown = rows.filter((row) => amountOf(row) > 0)
  const series = seriesOf(shown, amountOf)
  const stretches = stretchesOf(shown, step, days).map(({ from, until }) => ({
    from,
    until,
    segments: series.flatMap(({ name, names }, at): UsageSegment[] => {
      const here = shown.filter((row) => row.from === from && names.includes(row.name))
      const value = here.reduce((sum, row) => sum + amountOf(row), 0)
      if (value === 0) return []
      const wanted = here.map((row) => row.name)
      const mark: StatisticsMark = {
        type: 'usage',
        from,
        until,
        ...(by === 'model' ? { models: wanted } : { projects: wanted }),
      }
      const conversations = name === undefined ? undefined : here[0]?.conversations
      return [{ series: at, value, conversations, mark }]
    }),
  }))
  return { series, stretches }
}

function seriesOf(
  rows: readonly UsageRow[],
  amountOf: (row: UsageRow) => number,
): readonly UsageSeries[] {
  const sums = new Map<string | null, number>()
  for (const row of rows) sums.set(row.name, (sums.get(row.name) ?? 0) + amountOf(row))
  const sorted = [...sums].sort((a, b) => b[1] - a[1])
  // One alone in the rest has a name as well.
  const most = sorted.length === mostSeries + 1 ? sorted.length : mostSeries
  const own = sorted.slice(0, most).map(([name, sum]) => ({ name, names: [name], sum }))
  const rest = sorted.slice(most)
  if (rest.length === 0) return own
  const sum = rest.reduce((all, [, one]) => all + one, 0)
  return [...own, { name: undefined, names: rest.map(([name]) => name), sum }]
}

function stretchesOf(
  rows: readonly UsageRow[],
  step: CalendarStep,
  days: { readonly from?: string | undefined; readonly until?: string | undefined },
): readonly { readonly from: string; readonly until: string }[] {
  const begins = [...new Set(rows.map(({ from }) => from))].sort()
  const first = days.from === undefined ? begins[0] : stepBegin(days.from, step)
  const last = days.until === undefined ? begins.at(-1) : stepBegin(days.until, step)
  const all: string[] = []
  for (let at = first; at !== undefined && last !== undefined && at <= last; ) {
    if (all.length === mostStretches) return begins.map((from) => stretchAt(from, step))
    all.push(at)
    at = nextBegin(at, step)
  }
  return all.map((from) => stretchAt(from, step))
}

function stretchAt(from: string, step: CalendarStep) {
  return { from, until: addDays(nextBegin(from, step), -1) }
}
