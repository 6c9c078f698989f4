import type { Disk, FileStat } from '../../../disk/interface/disk'
import { readJson } from '../../../disk/json/read-json'
import { perFileCache } from '../per-file-cache'

const largestBytes = 64 * 1024 * 1024

/**
 * Makes the reading of a file of one JSON value that lies beside sessions, which is read anew only when it changes. What cannot
 * be read there is as if it were not there: the session's own file is.
 *
 * @param parse what is wanted of the value, which it never rejects
 */
export function sideJson<T>(
  parse: (value: unknown) => T,
): (disk: Disk, file: string) => Promise<T | undefined> {
  const known = perFileCache<{ readonly stat: FileStat; readonly found: T | undefined }>()
  return async (disk, file) => {
    try {
      const stat = await disk.stat(file)
      if (stat?.kind !== 'file') return undefined
      const read = async () => {
        const json = await readJson(disk, file, largestBytes)
        const found = json === undefined || json === 'damaged' ? undefined : parse(json.value)
        return { stat, found }
      }
      return (await known.get(disk, file, stat, read)).found
    } catch {
      return undefined
    }
  }
}
