import type { RootState } from '../../../shared/model/settings/source-roots'
import type { Disk } from '../../disk/interface/disk'
import { type CountedRoot, countFiles } from '../../library/sources/count-files'
import type { History } from '../../library/sources/histories'
import type { LibraryRoot } from '../../library/sources/roots'
import type { WindowRoot } from './window-roots'

/** Returns the state of a root that is off, or not read yet. */
export function countedState(
  count: CountedRoot | undefined,
  { isOn, origin }: Pick<WindowRoot, 'isOn' | 'origin'>,
): RootState {
  if (isOn && (count?.type === 'missing' || count?.type === 'unreadable')) return count
  // A person may have picked a folder inside of the system's own, in which files lie otherwise.
  const isOther =
    origin !== 'default' && count?.type === 'counted' && count.files.counts.length === 0
  const counted = count?.type === 'counted' && !isOther ? { counted: count.files } : {}
  if (!isOn) return { type: 'off', ...counted }
  const isThere = isOther || count?.type === 'there'
  return { type: 'waiting', ...counted, ...(isThere ? { isThere: true } : {}) }
}

/** Counts of roots that are not read: by the names, sizes and times of their files. */
export interface RootCounts {
  /** Undefined while it was not counted. */
  of(root: LibraryRoot): CountedRoot | undefined
  /** Counts roots anew, all at once: a disk that does not answer keeps no other one from being counted. */
  count(roots: readonly LibraryRoot[]): Promise<void>
  /** Ends counting. */
  stop(): void
}

/**
 * Opens the counts of roots.
 *
 * @param told is called when one was counted
 */
export function openRootCounts(
  disk: Disk,
  readers: readonly History['reader'][],
  told: () => void,
): RootCounts {
  const known = new Map<string, CountedRoot>()
  let controller = new AbortController()

  async function countOne({ source, path }: LibraryRoot, signal: AbortSignal): Promise<void> {
    const reader = readers.find(({ id }) => id === source)
    if (reader === undefined) return
    try {
      known.set(`${source}\0${path}`, await countFiles(reader, path, disk, signal))
      told()
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }

  return {
    of: ({ source, path }) => known.get(`${source}\0${path}`),
    async count(roots) {
      const { signal } = controller
      await Promise.all(roots.map((root) => countOne(root, signal)))
    },
    stop() {
      controller.abort()
      controller = new AbortController()
    },
  }
}
