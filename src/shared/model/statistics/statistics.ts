import type { CalendarStep } from './calendar'
import { addCount, addCounts, type CountByName, sortedByCount, sortedByName } from './counts'
import type { SelectedFamilies } from './marks'
import type { SelectedFacts } from './selection'
import type { Statistics } from './statistics-shape'
import { branchNumbers, lengthNumbers, weekHours } from './sum-conversations'
import { modelNumbers, projectNumbers, toolNumbers } from './sum-groups'
import { speechNumbers } from './sum-speech'
import { addCosts, addTokens, noTokens, roundPrice, type TokenCounts } from './token-counts'
import { usageOverTime } from './usage-over-time'

/**
 * Sums the facts of conversations.
 *
 * @param families of the selection, by the positions of their members; only those with an entry
 * @param step of the usage over time; one that gives a few dozen stretches where it is absent
 */
export function sumStatistics(
  selected: readonly SelectedFacts[],
  families: SelectedFamilies,
  step?: CalendarStep,
): Statistics {
  const tally = newTally()
  let tokens = noTokens
  let cost: number | null = null
  const tokensByModel = new Map<string, TokenCounts>()
  for (const { facts, cells } of selected)
    for (const cell of cells) {
      const { entries, model, day, hour } = cell
      if (entries > 0) addCount(tally.bySource, facts.source, entries)
      addCounts(tally.byType, cell.types)
      addCounts(tally.byRole, cell.roles)
      addCounts(tally.byTool, cell.calls)
      addCounts(tally.bytesByRole, cell.bytes)
      addCounts(tally.outputByTool, cell.output)
      if (entries > 0 && model) addCount(tally.byModel, model, entries)
      if (entries > 0 && day !== '') addCount(tally.byDay, day, entries)
      if (entries > 0 && hour >= 0) addCount(tally.byHour, String(hour).padStart(2, '0'), entries)
      if (cell.usages === 0) continue
      const name = model ?? 'unknown'
      tokens = addTokens(tokens, cell.tokens)
      tokensByModel.set(name, addTokens(tokensByModel.get(name) ?? noTokens, cell.tokens))
      cost = addCosts(cost, cell.cost)
    }
  const total = sum(tally.byRole)
  return {
    conversations: selected.length,
    families: families.length,
    entries: {
      total,
      bySource: sortedByCount(tally.bySource),
      byType: sortedByCount(tally.byType),
      byRole: sortedByCount(tally.byRole),
      byDay: sortedByName(tally.byDay),
      byHour: sortedByName(tally.byHour),
      byTool: sortedByCount(tally.byTool),
      byModel: sortedByCount(tally.byModel),
    },
    bytes: {
      total: sum(tally.bytesByRole),
      byRole: sortedByCount(tally.bytesByRole),
      toolOutput: sum(tally.outputByTool),
      outputByTool: sortedByCount(tally.outputByTool),
    },
    tokens: { ...tokens, byModel: Object.fromEntries(tokensByModel) },
    cost: roundPrice(cost),
    averages: averagesOf(tally.byRole, total, selected.length),
    longest: longestOf(selected),
    days: dayNumbers(selected),
    speech: speechNumbers(selected),
    entriesWithRepeats: selected.reduce((all, { length }) => all + length, 0),
    hours: weekHours(selected),
    tools: toolNumbers(selected),
    models: modelNumbers(selected),
    projects: projectNumbers(selected),
    lengths: lengthNumbers(selected),
    branches: branchNumbers(selected, families),
    usage: usageOverTime(selected, step),
  }
}

const groups = [
  'bySource',
  'byType',
  'byRole',
  'byDay',
  'byHour',
  'byTool',
  'byModel',
  'bytesByRole',
  'outputByTool',
] as const

function newTally(): Record<(typeof groups)[number], Map<string, number>> {
  return {
    bySource: new Map(),
    byType: new Map(),
    byRole: new Map(),
    byDay: new Map(),
    byHour: new Map(),
    byTool: new Map(),
    byModel: new Map(),
    bytesByRole: new Map(),
    outputByTool: new Map(),
  }
}

function longestOf(selected: readonly SelectedFacts[]): Statistics['longest'] {
  let longest: Statistics['longest'] = null
  for (const { facts, length } of selected) {
    const { source, key, title } = facts
    if (length > (longest?.entries ?? 0)) longest = { source, key, title, entries: length }
  }
  return longest
}

function dayNumbers(selected: readonly SelectedFacts[]): Statistics['days'] {
  const days = new Map<string, { keys: Set<string>; entries: number; roles: Map<string, number> }>()
  for (const { facts, cells } of selected)
    for (const { day, entries, roles } of cells) {
      if (day === '' || entries === 0) continue
      const numbers = days.get(day) ?? { keys: new Set(), entries: 0, roles: new Map() }
      days.set(day, numbers)
      numbers.keys.add(`${facts.source}:${facts.key}`)
      numbers.entries += entries
      addCounts(numbers.roles, roles)
    }
  return [...days]
    .sort(([a], [b]) => (a < b ? 1 : -1))
    .map(([day, { keys, entries, roles }]) => ({
      day,
      conversations: keys.size,
      entries,
      user: roles.get('user') ?? 0,
      agent: roles.get('agent') ?? 0,
      tool: roles.get('tool') ?? 0,
    }))
}

function averagesOf(
  byRole: ReadonlyMap<string, number>,
  total: number,
  conversations: number,
): { readonly entries: number; readonly byRole: CountByName } {
  return {
    entries: ratio(total, conversations),
    byRole: Object.fromEntries(
      [...byRole].map(([role, count]) => [role, ratio(count, conversations)]),
    ),
  }
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0)
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100) / 100
}
