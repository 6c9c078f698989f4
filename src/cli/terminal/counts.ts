/** How often each name stands somewhere. */
export type CountByName = Readonly<Record<string, number>>

/** Counts one of a name. */
export function addCount(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

/** The most frequent first, those of one count by name. */
export function sortedByCount(counts: ReadonlyMap<string, number>): CountByName {
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
}

export function sortedByName(counts: ReadonlyMap<string, number>): CountByName {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
