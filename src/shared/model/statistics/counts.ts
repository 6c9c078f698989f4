/** Counts by name. */
export type CountByName = Readonly<Record<string, number>>

/** Counts by name, as pairs: a name of a file may be `__proto__`. */
export type NamedCounts = readonly (readonly [name: string, count: number])[]

/** Adds to a name's count; one where no number is given. */
export function addCount(counts: Map<string, number>, name: string, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count)
}

/** Adds pairs to counts. */
export function addCounts(counts: Map<string, number>, more: NamedCounts): void {
  for (const [name, count] of more) addCount(counts, name, count)
}

/** Sorts counts, the largest first, equal ones by name. */
export function sortedByCount(counts: ReadonlyMap<string, number>): CountByName {
  return Object.fromEntries([...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)))
}

/** Sorts counts by name. */
export function sortedByName(counts: ReadonlyMap<string, number>): CountByName {
  return Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}
