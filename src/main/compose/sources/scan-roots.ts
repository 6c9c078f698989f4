import type { Disk } from '../../disk/interface/disk'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import { isSameRoot } from '../../settings/stored/settings-file'
import { type RootScans, walkRoot } from './root-scans'

interface Scan {
  readonly looks: RootScans
  readonly disk: Disk
  /** Whose lists `looks` counts. */
  readonly readers: readonly History['reader'][]
  /** Asked each time: one may have been added meanwhile. */
  roots(): readonly LibraryRoot[]
}

/** Scans every root that was not scanned whole yet, one after the other. Never rejects: a root's state says what failed. */
export async function scanRoots(scan: Scan): Promise<void> {
  const visited: LibraryRoot[] = []
  for (;;) {
    const root = scan.roots().find((one) => !visited.some((known) => isSameRoot(known, one)))
    if (root === undefined) return
    visited.push(root)
    await scanRoot(scan, root)
  }
}

async function scanRoot({ looks, disk, readers }: Scan, root: LibraryRoot): Promise<void> {
  // One that cannot be read is listed all the same: its reader says why.
  const stat = await disk.stat(root.path).catch(() => null)
  if (stat === undefined) return looks.setMissing(root)
  await looks.quiet(root)
  if (looks.isSettled(root) && looks.state(root).type !== 'missing') return
  await walkRoot(readers, root, disk)
}
