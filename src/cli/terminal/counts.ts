/** Counts by name. */
export type CountByName = Readonly<Record<string, number>>

/** Adds one to a name's count. */
export function addCount(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** Sorts counts, the largest first, equal ones by name. */
export function sortedByCount(counts: ReadonlyMap<string, number>): CountByName {
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
}

/** Sorts counts by name. */
export function sortedByName(counts: ReadonlyMap<string, number>): CountByName {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
