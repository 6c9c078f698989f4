import path from 'node:path'

/**
 * Returns true where a partition's name has the times of other entries: chibi was stopped after it had read what it
 * archived, and moved another active partition when it woke. `names` are those of all partitions.
 */
export function isMisnamed(name: string, names: readonly string[]): boolean {
  const span = /^(\d+-\d+)\.jsonl$/.exec(name)?.[1]
  return span !== undefined && names.includes(`${span}-0.jsonl`)
}

const asideName = /^moved-\d+-[0-9a-f]{8}\.jsonl$/

/**
 * Returns true for a partition's name that a file has only while it is moved aside: it is unique, and the one kind of
 * name that is removed again, once the file has another.
 */
export function isTransientName(target: string): boolean {
  return asideName.test(path.basename(target))
}

/** Compares names so that of two names of one file the permanent one comes first. */
export function comparePermanentFirst(a: string, b: string): number {
  return Number(isTransientName(a)) - Number(isTransientName(b)) || (a < b ? -1 : 1)
}
