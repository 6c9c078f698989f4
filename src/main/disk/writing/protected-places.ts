import path from 'node:path'
import { type Disk, DiskError } from '../interface/disk'
import { mapConcurrent } from '../pacing/map-concurrent'
import { namesInFolder } from '../reading/read'
import { liesInFolder, realPathOrNone } from '../reading/real-path'

/** The paths of histories that Skein reads and never writes to. */
export interface ProtectedPlaces {
  /** Folders or files of histories; of a chibi home, which is ours to write, the contexts alone. */
  readonly roots: readonly { readonly source: string; readonly path: string }[]
  /** Files that are read, wherever they lie; absolute. */
  readonly files: readonly string[]
  /** Lists further files and folders that are read, some of which may be links; asked only where something would be replaced. */
  readonly linked?: () => Promise<readonly string[]>
}

/**
 * Finds the protected path that a file at `target` would lie in or replace; undefined where there is none. Links are
 * followed on both sides.
 *
 * @throws DiskError where the disk does not tell where a path leads
 */
export async function protectedPlaceAround(
  disk: Disk,
  target: string,
  { roots, files, linked }: ProtectedPlaces,
): Promise<string | undefined> {
  // What is not there yet lies where its folder is.
  const folder = await realPathOrNone(disk, path.dirname(target))
  const plain = folder === undefined ? target : path.join(folder, path.basename(target))
  const standing = await realPathOrNone(disk, target)
  const reals = [plain, standing ?? plain]
  const around = async (places: readonly string[]) => {
    const found = await mapConcurrent(places, async (place) => {
      const real = await realPathOrNone(disk, place)
      return real !== undefined && reals.some((one) => liesInFolder(real, one)) ? [place] : []
    })
    return found.flat()[0]
  }
  const ofRoots = await mapConcurrent(roots, async ({ source, path: root }) =>
    source === 'chibi' ? contextFolders(disk, root) : [root],
  )
  // No spreading into a call: there may be more of them than a call takes.
  const place = await around([...ofRoots.flat(), ...files])
  if (place !== undefined || standing === undefined || linked === undefined) return place
  return around(await linked())
}

/** The contexts of a home, and each of them with its transcript, which may lie elsewhere by a link. */
async function contextFolders(disk: Disk, home: string): Promise<readonly string[]> {
  const contexts = path.join(home, 'contexts')
  const names = await namesInFolder(disk, contexts).catch((error: unknown) => {
    // Nor can anything be written there.
    if (error instanceof DiskError && error.code === 'denied') return []
    throw error
  })
  const folders = names.map((name) => path.join(contexts, name))
  return [contexts, ...folders.flatMap((folder) => [folder, path.join(folder, 'transcript')])]
}
