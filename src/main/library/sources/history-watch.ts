import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { liesInFolder } from '../../disk/reading/real-path'
import { watchFolder } from '../../disk/writing/watch'
import type { SourceRef } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import { realFileOf } from '../../records/interface/record-format'
import type { LibraryRoot } from './roots'

/**
 * Folders watched at once, besides the roots' own: each is probed every two seconds. Beyond that the folders of the
 * newest conversations are; the next scan finds changes in the others.
 */
const mostFolders = 256

/** A watch of roots, of the folders of conversations that were found under them, and of those above these. */
export interface HistoryWatch {
  /** The folders of these are watched from now on, and no others. */
  follow(histories: Iterable<{ readonly ref: SourceRef }>): void
  close(): void
}

/** Starts to watch the roots and calls `changed` when a file in them comes, goes or changes. */
export function watchHistories(
  disk: Disk,
  roots: readonly LibraryRoot[],
  changed: () => void,
): HistoryWatch {
  const always = new Set(roots.flatMap((root) => foldersOf(disk, root)))
  const watched = new Map([...always].map((folder) => [folder, watchFolder(disk, folder, changed)]))
  return {
    follow(histories) {
      const wanted = new Set([...always, ...newestFolders(histories)])
      for (const [folder, dispose] of watched) {
        if (wanted.has(folder)) continue
        dispose()
        watched.delete(folder)
      }
      for (const folder of wanted)
        if (!watched.has(folder)) watched.set(folder, watchFolder(disk, folder, changed))
    },
    close() {
      for (const dispose of watched.values()) dispose()
      watched.clear()
    },
  }
}

function newestFolders(histories: Iterable<{ readonly ref: SourceRef }>): readonly string[] {
  const times = new Map<string, number>()
  for (const { ref } of histories)
    for (const { file, mtimeMs = 0 } of ref.files) {
      const folder = path.dirname(realFileOf(path.join(ref.root, file)))
      // Where each conversation has a folder of its own, the next one comes in the folder above.
      for (const one of [folder, path.dirname(folder)])
        if (one === folder || (one !== ref.root && liesInFolder(ref.root, one)))
          times.set(one, Math.max(times.get(one) ?? 0, mtimeMs))
    }
  const newest = [...times].sort(([, a], [, b]) => b - a).slice(0, mostFolders)
  return newest.map(([folder]) => folder)
}

/** Where files of a root may appear before there are any; a root that is a file is seen from its folder. */
function foldersOf(disk: Disk, { source, path: root }: LibraryRoot): readonly string[] {
  if (kindOf(disk, root) === 'file') return [path.dirname(root)]
  const below = readers.find(({ id }) => id === source)?.watchedFolders ?? []
  return [root, ...below.map((folder) => path.join(root, folder))]
}

function kindOf(disk: Disk, root: string) {
  try {
    return disk.statNow(root)?.kind
  } catch {
    return undefined // A root that cannot be probed now is watched as a folder, as most are.
  }
}
