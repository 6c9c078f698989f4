import { DiskError } from '../../disk/interface/disk'

/**
 * Returns the number of the line that a byte is in, from 0: the last one that begins at it or before.
 *
 * @param starts of the lines, ascending; the first is 0
 * @param lines how many of them there are
 */
export function lineAt(starts: ArrayLike<number>, lines: number, position: number): number {
  let low = 0
  let high = lines - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((starts[middle] ?? 0) <= position) low = middle
    else high = middle - 1
  }
  return low
}

/** Rejects a write to a record file, which can only be read. */
export function refuseWrite(path: string): Promise<never> {
  return Promise.reject(new DiskError('denied', path, `${path} can only be read`))
}
