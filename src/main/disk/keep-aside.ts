import { moveToFree } from './atomic'
import type { Disk } from './disk'
import { isNotFound, isTaken } from './read'

/**
 * Moves a file that cannot be read beside its place, under a name that is free. Nothing is written over; an absent file is no matter.
 *
 * @returns where it lies now; undefined where it was gone @throws DiskError
 */
export async function keepAside(disk: Disk, file: string): Promise<string | undefined> {
  for (let n = 1; ; n++)
    try {
      const kept = `${file}.damaged-${n}`
      await moveToFree(disk, file, kept)
      return kept
    } catch (error) {
      if (isNotFound(error)) return undefined
      if (!isTaken(error)) throw error
    }
}
