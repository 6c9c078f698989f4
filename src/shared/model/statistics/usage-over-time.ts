import { addDays, type CalendarStep, countDays, nextBegin, stepBegin } from './calendar'
import type { SelectedFacts } from './selection'
import type { Statistics, UsageRow } from './statistics-shape'
import { addCosts, addTokens, noTokens, roundPrice, type TokenCounts } from './token-counts'

/** Longest time that is shown by days, weeks and months; by years above. In days. */
const longest = { day: 31, week: 26 * 7, month: 40 * 31 } as const

/**
 * Sums usage over time, by model and by project. Rows are in the order of time; a stretch without usage has none.
 *
 * @param step chosen by the time between the first and the last record where it is absent
 */
export function usageOverTime(
  selected: readonly SelectedFacts[],
  step?: CalendarStep,
): Statistics['usage'] {
  const by = step ?? stepFor(selected)
  const models = new Rows()
  const projects = new Rows()
  for (const one of selected)
    for (const { usages, day, model, tokens, cost } of one.cells) {
      if (usages === 0 || day === '') continue
      const begin = stepBegin(day, by)
      models.add(begin, model, one, tokens, cost)
      projects.add(begin, one.facts.project, one, tokens, cost)
    }
  return { step: by, byModel: models.rows(by), byProject: projects.rows(by) }
}

function stepFor(selected: readonly SelectedFacts[]): CalendarStep {
  let [first, last] = ['', '']
  for (const { cells } of selected)
    for (const { usages, day } of cells) {
      if (usages === 0 || day === '') continue
      if (first === '' || day < first) first = day
      if (day > last) last = day
    }
  const days = first === '' ? 0 : countDays(first, last)
  if (days <= longest.day) return 'day'
  if (days <= longest.week) return 'week'
  return days <= longest.month ? 'month' : 'year'
}

interface Row {
  readonly begin: string
  readonly name: string | null
  readonly in: Set<SelectedFacts>
  tokens: TokenCounts
  cost: number | null
}

class Rows {
  private readonly known = new Map<string, Row>()

  add(
    begin: string,
    name: string | null,
    one: SelectedFacts,
    tokens: TokenCounts,
    cost: number | null,
  ): void {
    const id = JSON.stringify([begin, name])
    const row = this.known.get(id) ?? { begin, name, in: new Set(), tokens: noTokens, cost: null }
    this.known.set(id, row)
    row.in.add(one)
    row.tokens = addTokens(row.tokens, tokens)
    row.cost = addCosts(row.cost, cost)
  }

  rows(step: CalendarStep): UsageRow[] {
    return [...this.known.values()]
      .map(({ begin, name, in: conversations, tokens, cost }) => ({
        from: begin,
        until: addDays(nextBegin(begin, step), -1),
        name,
        ...tokens,
        cost: roundPrice(cost),
        conversations: conversations.size,
      }))
      .sort((a, b) => (a.from === b.from ? b.total - a.total : a.from < b.from ? -1 : 1))
  }
}
