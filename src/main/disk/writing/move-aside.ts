import type { Disk } from '../interface/disk'
import { isNameTaken, isNotFound } from '../reading/read'
import { moveToFreeName } from './atomic'

/**
 * Moves a file that cannot be read beside its place, under a name that is free. Nothing is written over; an absent file is no matter.
 *
 * @returns where it lies now; undefined where it was gone @throws DiskError
 */
export async function moveAside(disk: Disk, file: string): Promise<string | undefined> {
  for (let n = 1; ; n++)
    try {
      const kept = `${file}.damaged-${n}`
      await moveToFreeName(disk, file, kept)
      return kept
    } catch (error) {
      if (isNotFound(error)) return undefined
      if (!isNameTaken(error)) throw error
    }
}
