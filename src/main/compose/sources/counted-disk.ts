import type { Disk } from '../../disk/interface/disk'

/** Who counts the files that are looked at. */
export interface FileCount {
  readonly files: Set<string>
  /** Is called for each file once. */
  seen(): void
}

/** A disk that tells everybody who counts now; who they are may change, and the disk stays the same. */
export function countedDisk(disk: Disk, counts: ReadonlySet<FileCount>): Disk {
  const saw = (file: string) => {
    for (const { files, seen } of counts) {
      if (files.has(file)) continue
      files.add(file)
      seen()
    }
  }
  return {
    ...disk,
    async stat(target) {
      const stat = await disk.stat(target)
      if (stat?.kind === 'file') saw(target)
      return stat
    },
    async open(target, mode, permissions) {
      const file = await disk.open(target, mode, permissions)
      saw(target)
      return file
    },
  }
}

/**
 * The counted disk of each name, made once over each disk: readers remember what they found in a file for as long as they
 * are given the same disk.
 */
export function countedDisks(): (
  name: string,
  disk: Disk,
) => { readonly disk: Disk; readonly counts: Set<FileCount> } {
  const known = new WeakMap<Disk, Map<string, { disk: Disk; counts: Set<FileCount> }>>()
  return (name, disk) => {
    const named = known.get(disk) ?? new Map<string, { disk: Disk; counts: Set<FileCount> }>()
    known.set(disk, named)
    const found = named.get(name)
    if (found !== undefined) return found
    const counts = new Set<FileCount>()
    const made = { disk: countedDisk(disk, counts), counts }
    named.set(name, made)
    return made
  }
}
