import path from 'node:path'

/**
 * Whether a partition's name tells the time of other entries than its own: chibi was stopped after it had read what it
 * archived, and moved what was the active partition when it woke. `names` are those of all partitions.
 */
export function isMisnamed(name: string, names: readonly string[]): boolean {
  const span = /^(\d+-\d+)\.jsonl$/.exec(name)?.[1]
  return span !== undefined && names.includes(`${span}-0.jsonl`)
}

const asideName = /^moved-\d+-[0-9a-f]{8}\.jsonl$/

/**
 * Whether a name among the partitions is one of a file that is being moved aside: nobody gives it twice, and it is the one
 * kind that goes again, when its file has another name.
 */
export function isTransientName(target: string): boolean {
  return asideName.test(path.basename(target))
}

/** Orders names so that of two names of one file the one comes first that stays. */
export function comparePermanentFirst(a: string, b: string): number {
  return Number(isTransientName(a)) - Number(isTransientName(b)) || (a < b ? -1 : 1)
}
