import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { namesInFolder } from '../../disk/reading/read'
import type { ProtectedPlaces } from '../../disk/writing/protected-places'
import { readers } from '../../readers/index'
import { realFileOf } from '../../records/interface/record-format'
import type { LibraryRoot } from './roots'

/**
 * Returns the places of histories, which are read and never written to: roots, and wherever links in them lead. Touches nothing
 * before it is asked what is linked; then it lists every root, as a library does.
 */
export function protectedHistories(disk: Disk, roots: readonly LibraryRoot[]): ProtectedPlaces {
  return { roots, files: [], linked: () => placesBelow(disk, roots) }
}

/** The names in each root, and the files and folders of its conversations: each may be a link. Never rejects. */
async function placesBelow(disk: Disk, roots: readonly LibraryRoot[]): Promise<readonly string[]> {
  const places = new Set<string>()
  for (const { source, path: root } of roots) {
    for (const name of await namesOf(disk, root)) places.add(path.join(root, name))
    if (source === 'chibi') await addContexts(disk, path.join(root, 'contexts'), places)
    else await addHistories(disk, { source, path: root }, places)
  }
  return [...places]
}

async function addHistories(
  disk: Disk,
  { source, path: root }: LibraryRoot,
  places: Set<string>,
): Promise<void> {
  const reader = readers.find(({ id }) => id === source)
  if (reader === undefined) return
  try {
    for await (const ref of reader.list(root, disk, new AbortController().signal))
      for (const { file } of ref.files) {
        const real = realFileOf(path.join(ref.root, file))
        for (let at = real; isBelow(ref.root, at); at = path.dirname(at)) places.add(at)
        places.add(real)
      }
  } catch {
    // What was found before it could not be listed on counts all the same.
  }
}

function isBelow(root: string, place: string): boolean {
  return place.startsWith(root.endsWith(path.sep) ? root : `${root}${path.sep}`)
}

/** Files of contexts, whose folders may lie elsewhere. */
async function addContexts(disk: Disk, contexts: string, places: Set<string>): Promise<void> {
  for (const context of await namesOf(disk, contexts))
    for (const below of ['', 'transcript', 'transcript/partitions']) {
      const folder = path.join(contexts, context, below)
      for (const name of await namesOf(disk, folder)) places.add(path.join(folder, name))
    }
}

async function namesOf(disk: Disk, folder: string): Promise<Iterable<string>> {
  try {
    return await namesInFolder(disk, folder)
  } catch {
    return []
  }
}
