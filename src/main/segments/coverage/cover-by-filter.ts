import type { SearchFile } from '../../../shared/model/search'
import type { Disk } from '../../disk/interface/disk'
import { readSmallFile } from '../../disk/reading/read'
import { coverCopy, type FileCoverage, groupRunsByFile } from './coverage'
import { decodeFilter, type StoredFilter } from './filter-file'

/** Reads a file's side filter; undefined where there is none, or it cannot be read or trusted. */
export async function readFileFilter(disk: Disk, path: string): Promise<StoredFilter | undefined> {
  // Without it the file itself is read: slower, and as right.
  const bytes = await readSmallFile(disk, path).catch(() => undefined)
  return bytes && decodeFilter(bytes)
}

/**
 * Finds the coverage of a file by its side filter; undefined where it covers nothing.
 *
 * The file may come from another machine: so it is recognised by size and time, and where a copy has another time, by
 * its bytes.
 */
export async function coverByFilter(
  disk: Disk,
  file: SearchFile,
): Promise<FileCoverage | undefined> {
  if (file.filter === undefined || file.own !== undefined) return undefined
  const stored = await readFileFilter(disk, file.filter)
  if (stored === undefined) return undefined
  const [known = []] = groupRunsByFile([stored.part]).values()
  const covered = await coverCopy(disk, file, known)
  if (covered.runs.length === 0) return undefined
  return { ...covered, filter: { path: file.filter, sha256: stored.sha256 } }
}
