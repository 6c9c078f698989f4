import type { Disk, FileStat } from '../../disk/disk'

/**
 * Keeps what was found out about files, for as long as their disk is used: it is found out anew only when a file's
 * size, time or identity is another. Whoever finds out gets what was known before.
 */
export function rememberedPerFile<T extends { readonly stat: FileStat }>(): (
  disk: Disk,
  file: string,
  stat: FileStat,
  findOut: (before: T | undefined) => Promise<T>,
) => Promise<T> {
  const ofDisks = new WeakMap<Disk, Map<string, T>>()
  return async (disk, file, stat, findOut) => {
    const known = ofDisks.get(disk) ?? new Map<string, T>()
    ofDisks.set(disk, known)
    const before = known.get(file)
    if (before !== undefined && isSame(before.stat, stat)) return before
    const found = await findOut(before)
    known.set(file, found)
    return found
  }
}

function isSame(before: FileStat, now: FileStat): boolean {
  return (
    before.identity === now.identity &&
    before.sizeBytes === now.sizeBytes &&
    before.mtimeMs === now.mtimeMs
  )
}
