import type { SearchFile } from '../../../shared/model/search'
import type { Disk } from '../../disk/interface/disk'
import { readSmallFile } from '../../disk/reading/read'
import { coverCopy, type FileCoverage, groupRunsByFile } from './coverage'
import { decodeFilter, type StoredFilter } from './filter-file'

/** Reads the filter that lies beside a file; undefined where none is, or it cannot be read or trusted. */
export async function readFileFilter(disk: Disk, path: string): Promise<StoredFilter | undefined> {
  // Without it the file itself is read: slower, and as right.
  const bytes = await readSmallFile(disk, path).catch(() => undefined)
  return bytes && decodeFilter(bytes)
}

/**
 * Finds what the filter beside a file answers for; undefined where that is nothing.
 *
 * Its file may have come from another machine: so it is known by its size and time, and where a copy has another time, by
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
