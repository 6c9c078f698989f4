import type { Disk } from '../../disk/interface/disk'

/** Counter of the files that are looked at, each once. */
export interface FileCount {
  readonly files: Set<string>
  /** Is called for each file once. */
  seen(): void
}

/**
 * Wraps a disk that reports each file to all counters in `counts`. Counters may come and go; the disk remains the
 * same.
 */
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
 * Returns a function that makes one counted disk for each name over each disk: readers keep what they found in a
 * file only as long as they get the same disk.
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
