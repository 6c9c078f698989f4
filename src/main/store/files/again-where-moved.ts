import { DiskError } from '../../disk/interface/disk'
import { FileMovedError } from '../lines/file-facts'

const mostTries = 5

/**
 * Calls `read`, and again from the start where a rotation, or another change of names, moved a file away between its being
 * found and its being read; five times more at most.
 *
 * @throws what `read` throws
 */
export async function againWhereMoved<T>(read: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await read()
    } catch (error) {
      const isMoved =
        error instanceof FileMovedError ||
        (error instanceof DiskError && error.code === 'not-found')
      if (!isMoved || tries === mostTries) throw error
    }
  }
}
