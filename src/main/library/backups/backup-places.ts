import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import { SourceId } from '../../../shared/model/conversation/sources'
import type { Disk } from '../../disk/interface/disk'
import { namesInFolder, readSmallText } from '../../disk/reading/read'
import { createFile } from '../../disk/writing/atomic'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import type { LibraryRoot } from '../sources/roots'

/** The backup of one root of another system: copies of its files, laid out as they are there. */
export interface BackupPlace {
  /** The root whose files it has. */
  readonly root: LibraryRoot
  /** Absolute: holds `place.json`, `seals.jsonl`, `now` and `earlier-N`. */
  readonly folder: string
  /** The root is a file. */
  readonly isFile: boolean
}

const PlaceFile = z.object({
  source: SourceId,
  path: z.string().refine(path.isAbsolute),
  isFile: z.boolean().default(false),
})

/** The name of the file that says of which root a backup is. */
export const placeName = 'place.json'
/** The folder of a place with the newest copy of each file. */
export const nowName = 'now'

/** Returns the name of the folder with the copies that were replaced by others `number` times. */
export function earlierName(number: number): string {
  return `earlier-${number}`
}

/** Returns the folder of a root's backup; need not exist. */
export function backupFolderOf(archive: string, { source, path: root }: LibraryRoot): string {
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 12)
  return path.join(archive, `${source}-${digest}`)
}

/** Makes the folder of a root's backup, with the file that names the root. @throws DiskError */
export async function makePlace(
  disk: Disk,
  archive: string,
  root: LibraryRoot,
  isFile: boolean,
): Promise<BackupPlace> {
  const folder = backupFolderOf(archive, root)
  const file = path.join(folder, placeName)
  await makeDurableFolder(disk, folder)
  if ((await disk.stat(file)) === undefined) {
    const { source, path: place } = root
    await createFile(
      disk,
      file,
      Buffer.from(`${JSON.stringify({ source, path: place, isFile })}\n`),
    )
    await disk.syncFolder(archive)
  }
  return { root: { source: root.source, path: root.path }, folder, isFile }
}

/** Lists the backups that there are, by their folders' names; what is none is passed by. @throws DiskError */
export async function listPlaces(disk: Disk, archive: string): Promise<readonly BackupPlace[]> {
  const places: BackupPlace[] = []
  for (const name of [...(await namesInFolder(disk, archive))].sort()) {
    const folder = path.join(archive, name)
    const text = await readSmallText(disk, path.join(folder, placeName))
    const known = text === undefined ? undefined : placeIn(text)
    if (known === undefined) continue
    const { isFile, ...root } = known
    places.push({ root, folder, isFile })
  }
  return places
}

/** Resolves to whether a file says of which root a backup is; undefined where it is not there. @throws DiskError */
export async function isPlaceFile(disk: Disk, file: string): Promise<boolean | undefined> {
  const text = await readSmallText(disk, file)
  return text === undefined ? undefined : placeIn(text) !== undefined
}

function placeIn(text: string): z.infer<typeof PlaceFile> | undefined {
  try {
    return PlaceFile.safeParse(JSON.parse(text)).data
  } catch {
    return undefined // Another file of that name: no backup of ours.
  }
}

/**
 * Lists the roots under which readers find the copies of a place: the newest first, then earlier versions.
 *
 * @throws DiskError
 */
export async function rootsOfPlace(
  disk: Disk,
  { root, folder, isFile }: BackupPlace,
): Promise<readonly LibraryRoot[]> {
  const numbers = (await namesInFolder(disk, folder))
    .map((name) => Number(/^earlier-([1-9]\d{0,5})$/.exec(name)?.[1]))
    .filter((number) => Number.isInteger(number))
    .sort((a, b) => a - b)
  const inside = isFile ? path.basename(root.path) : ''
  const rootIn = (name: string, version: 'newest' | 'earlier'): LibraryRoot => ({
    source: root.source,
    path: path.join(folder, name, inside),
    backup: { of: root.path, version },
  })
  return [
    rootIn(nowName, 'newest'),
    ...numbers.map((number) => rootIn(earlierName(number), 'earlier')),
  ]
}
