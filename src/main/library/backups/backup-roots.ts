import type { Disk } from '../../disk/interface/disk'
import type { LibraryRoot } from '../sources/roots'
import { listPlaces, rootsOfPlace } from './backup-places'

/**
 * Finds the roots of backups that are read besides some roots: those of these roots, and with `isForgottenToo` those of roots
 * that are in no list any more.
 *
 * @param off roots that a person does not read: their backups are not read either
 *
 * @param note gets a sentence where backups cannot be listed; then there are none
 */
export async function backupRootsFor(
  disk: Disk,
  archive: string,
  roots: readonly LibraryRoot[],
  {
    off = [],
    isForgottenToo = false,
    note,
  }: {
    readonly off?: readonly LibraryRoot[]
    readonly isForgottenToo?: boolean
    readonly note: (words: string) => void
  },
): Promise<readonly LibraryRoot[]> {
  const found: LibraryRoot[] = []
  try {
    for (const place of await listPlaces(disk, archive)) {
      const isOne = (other: LibraryRoot) =>
        other.source === place.root.source && other.path === place.root.path
      if (roots.some(isOne) || (isForgottenToo && !off.some(isOne)))
        found.push(...(await rootsOfPlace(disk, place)))
    }
  } catch (error) {
    note(`Backups: ${error instanceof Error ? error.message : String(error)}`)
  }
  return found
}
