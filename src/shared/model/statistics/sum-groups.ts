import type { FactsCell } from './conversation-facts'
import type { SelectedFacts } from './selection'
import type { Statistics } from './statistics-shape'
import { addCosts, addTokens, noTokens, roundPrice, type TokenCounts } from './token-counts'

/** Sums tools: calls, failures, and in how many conversations; most called first. */
export function toolNumbers(selected: readonly SelectedFacts[]): Statistics['tools'] {
  const tools = new Map<string, Statistics['tools'][number]>()
  for (const { cells } of selected) {
    const called = new Set<string>()
    const failed = new Set<string>()
    const row = (tool: string) => {
      const none = { tool, calls: 0, conversations: 0, failures: 0, failedIn: 0 }
      const known = tools.get(tool) ?? none
      tools.set(tool, known)
      return known
    }
    for (const { calls, failures } of cells) {
      for (const [tool, count] of calls) {
        row(tool).calls += count
        called.add(tool)
      }
      for (const [tool, count] of failures) {
        row(tool).failures += count
        failed.add(tool)
      }
    }
    for (const tool of called) row(tool).conversations += 1
    for (const tool of failed) row(tool).failedIn += 1
  }
  return [...tools.values()].sort(
    (a, b) => b.calls - a.calls || b.failures - a.failures || byName(a.tool, b.tool),
  )
}

/** Sums models that wrote entries; most tokens first, then most entries. */
export function modelNumbers(selected: readonly SelectedFacts[]): Statistics['models'] {
  const groups = new Groups()
  for (const { cells } of selected) {
    const met = new Set<string>()
    for (const cell of cells) {
      if (!cell.model) continue
      groups.add(cell.model, cell)
      if (cell.entries > 0) met.add(cell.model)
    }
    for (const model of met) groups.meet(model)
  }
  // A failure alone is no entry of the model.
  const rows = groups.rows().filter(({ conversations }) => conversations > 0)
  return rows.map(({ name, ...numbers }) => ({ model: name, ...numbers }))
}

/** Sums projects; most conversations first. */
export function projectNumbers(selected: readonly SelectedFacts[]): Statistics['projects'] {
  const groups = new Groups()
  for (const { facts, cells } of selected) {
    // JSON, so that no project is named like none.
    const name = JSON.stringify(facts.project)
    for (const cell of cells) groups.add(name, cell)
    groups.meet(name)
  }
  return groups
    .rows()
    .map(({ name, ...numbers }) => ({ project: JSON.parse(name) as string | null, ...numbers })) // written above
    .sort((a, b) => b.conversations - a.conversations)
}

interface Group {
  tokens: TokenCounts
  cost: number | null
  entries: number
  conversations: number
}

class Groups {
  private readonly groups = new Map<string, Group>()

  add(name: string, cell: FactsCell): void {
    const group = this.group(name)
    group.entries += cell.entries
    group.tokens = addTokens(group.tokens, cell.tokens)
    group.cost = addCosts(group.cost, cell.cost)
  }

  /** Counts a conversation that has the group. */
  meet(name: string): void {
    this.group(name).conversations += 1
  }

  rows() {
    return [...this.groups]
      .map(([name, { tokens, cost, entries, conversations }]) => ({
        name,
        ...tokens,
        entries,
        conversations,
        cost: roundPrice(cost),
      }))
      .sort((a, b) => b.total - a.total || b.entries - a.entries || byName(a.name, b.name))
  }

  private group(name: string): Group {
    const known = this.groups.get(name)
    if (known !== undefined) return known
    const group = { tokens: noTokens, cost: null, entries: 0, conversations: 0 }
    this.groups.set(name, group)
    return group
  }
}

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
