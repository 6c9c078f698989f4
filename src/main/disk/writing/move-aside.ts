import type { Disk } from '../interface/disk'
import { isNameTaken, isNotFound } from '../reading/read'
import { moveToFreeName } from './atomic'

/**
 * Moves a file that cannot be read to a free name in its folder. It never replaces a file, and does nothing where the
 * file is absent.
 *
 * @returns where it lies now; undefined where it was gone
 * @throws DiskError
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
