import type { ConversationSummary } from '../../../shared/model/conversation/conversation'

/**
 * Joins two lists, the newer summary of a key winning; most recently updated first, then by title. Only the newer rows are
 * sorted where the older ones are in that order: a list that comes in parts is not sorted anew with each.
 */
export function mergeSummaries(
  older: readonly ConversationSummary[],
  newer: readonly ConversationSummary[],
): readonly ConversationSummary[] {
  const byKey = new Map(newer.map((summary) => [summary.key as string, summary]))
  const kept = older.filter(({ key }) => !byKey.has(key))
  const added = [...byKey.values()].sort(newestFirst)
  const isOrdered = kept.every((row, at) => at === 0 || newestFirst(kept[at - 1] ?? row, row) <= 0)
  return isOrdered ? merged(kept, added) : [...kept, ...added].sort(newestFirst)
}

function merged(
  one: readonly ConversationSummary[],
  other: readonly ConversationSummary[],
): readonly ConversationSummary[] {
  const rows: ConversationSummary[] = []
  let at = 0
  for (const row of other) {
    for (let next = one[at]; next !== undefined && newestFirst(next, row) <= 0; next = one[++at])
      rows.push(next)
    rows.push(row)
  }
  return [...rows, ...one.slice(at)]
}

function newestFirst(a: ConversationSummary, b: ConversationSummary): number {
  const [one, other] = [a.updated ?? '', b.updated ?? '']
  if (one !== other) return one < other ? 1 : -1
  return a.title.localeCompare(b.title)
}
