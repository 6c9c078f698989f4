import type { Disk, FileStat } from '../../disk/interface/disk'

/** A cache of facts of files, for as long as their disk is used. */
interface Remembered<T> {
  /**
   * Gets the facts of a file as it is: they are found out anew only when its size, time or identity is another. `findOut`
   * gets those that were known before.
   */
  get(
    disk: Disk,
    file: string,
    stat: FileStat,
    findOut: (before: T | undefined) => Promise<T>,
  ): Promise<T>
  /** Returns true where anything is known of a file, as it is or as it was. */
  knows(disk: Disk, file: string): boolean
  /** Adds facts that were found elsewhere. */
  keep(disk: Disk, file: string, found: T): void
}

/** Creates a cache of facts of files, which lives as long as their disk is used. */
export function perFileCache<T extends { readonly stat: FileStat }>(): Remembered<T> {
  const ofDisks = new WeakMap<Disk, Map<string, T>>()
  const knownOn = (disk: Disk) => {
    const known = ofDisks.get(disk) ?? new Map<string, T>()
    ofDisks.set(disk, known)
    return known
  }
  return {
    async get(disk, file, stat, findOut) {
      const known = knownOn(disk)
      const before = known.get(file)
      if (before !== undefined && isSame(before.stat, stat)) return before
      const found = await findOut(before)
      known.set(file, found)
      return found
    },
    knows: (disk, file) => knownOn(disk).has(file),
    keep: (disk, file, found) => void knownOn(disk).set(file, found),
  }
}

function isSame(before: FileStat, now: FileStat): boolean {
  return (
    before.identity === now.identity &&
    before.sizeBytes === now.sizeBytes &&
    before.mtimeMs === now.mtimeMs
  )
}
