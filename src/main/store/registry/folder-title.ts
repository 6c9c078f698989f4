import path from 'node:path'
import { plainTags } from '../../../shared/model/conversation/tag'
import type { Disk } from '../../disk/interface/disk'
import { removeIfThere } from '../../disk/writing/atomic'
import { type HomePaths, isContextName } from '../core/home-paths'
import { type OnNotice, readKnownContexts, withStateLock } from './known-contexts'
import { type GivenTitles, readTitles, type TitleAndTags, updateTitles } from './titles'

/** Goes into the trash with its context's folder, and comes back with it; written like titles.skein.json. */
const fileName = 'title.skein.json'

function fileOf(paths: HomePaths, name: string): string {
  return path.join(paths.contexts, name, fileName)
}

/**
 * Writes the title, tags and pin that were given to a context into its folder, durably. Resolves to whether it has any.
 *
 * @throws DiskError
 */
export async function putTitleInFolder(
  disk: Disk,
  paths: HomePaths,
  name: string,
  noticed: OnNotice,
): Promise<boolean> {
  const stored = (await readTitles(disk, paths.titles)).get(name)
  // It may have come back with an item that is nowhere else.
  const inFolder = await readTitleInFolder(disk, paths, name)
  const known = await readKnownContexts(disk, paths).catch(() => [])
  const given = withTitleInFolder(stored, inFolder, createdAtOf(known, name))
  const file = fileOf(paths, name)
  if (given === undefined || given === inFolder) return (await disk.stat(file)) !== undefined
  await updateTitles(disk, file, () => new Map([[name, given]]), noticed)
  return true
}

/**
 * Reads the title and tags that came back with a context's folder; undefined where there are none, or none that can be
 * read.
 */
export async function readTitleInFolder(
  disk: Disk,
  paths: HomePaths,
  name: string,
): Promise<TitleAndTags | undefined> {
  if (!isContextName(name)) return undefined
  const titles = await readTitles(disk, fileOf(paths, name)).catch(() => undefined)
  // Whatever it is called now: it is the title of what lies in this folder.
  const [given] = titles?.values() ?? []
  return given && { ...given, createdAt: undefined }
}

/**
 * Returns all that a context has, of what the file of titles has under its name and what came back in its folder: of titles and of colours
 * that of the file, tags, pin and hiding of both. Undefined where it has nothing.
 *
 * @param createdAt when the context was made, Unix seconds: what was given to another one of its name does not count
 */
export function withTitleInFolder(
  stored: TitleAndTags | undefined,
  inFolder: TitleAndTags | undefined,
  createdAt: number | undefined,
): TitleAndTags | undefined {
  if (stored === undefined) return inFolder
  // What stayed behind as the folder went is of what came back, which has a new time in state.json by then.
  const isSame = inFolder !== undefined && stored.wentWithFolder === true
  const isAnother =
    stored.createdAt !== undefined && createdAt !== undefined && stored.createdAt !== createdAt
  if (isAnother && !isSame) return inFolder
  if (inFolder === undefined) return stored
  const tags = plainTags([...(stored.tags ?? []), ...(inFolder.tags ?? [])])
  return {
    // An item of tags, a pin or a colour alone decides nothing about a title.
    ...(stored.title === undefined ? inFolder : stored),
    createdAt: isSame ? createdAt : stored.createdAt,
    tags: tags.length === 0 ? undefined : tags,
    pinned: stored.pinned ?? inFolder.pinned,
    color: stored.color ?? inFolder.color,
    hidden: stored.hidden ?? inFolder.hidden,
  }
}

function createdAtOf(
  known: Awaited<ReturnType<typeof readKnownContexts>>,
  name: string,
): number | undefined {
  return known.find((context) => context.name === name)?.createdAt
}

/**
 * Removes a title that must not count any more from a context's folder; does nothing where there is none.
 *
 * @throws DiskError
 */
export async function removeTitleInFolder(
  disk: Disk,
  paths: HomePaths,
  name: string,
): Promise<void> {
  const file = fileOf(paths, name)
  if ((await disk.stat(file)) !== undefined) await removeIfThere(disk, file)
}

/**
 * Moves a title that came back with a context's folder to the file of titles, unless another one was given meanwhile,
 * and adds the rest as `withTitleInFolder` does. The context's lock is held.
 *
 * @throws DiskError; Error where another process does not let go of the titles
 */
export async function restoreTitleFromFolder(
  disk: Disk,
  paths: HomePaths,
  name: string,
  noticed: OnNotice,
): Promise<void> {
  const given = await readTitleInFolder(disk, paths, name)
  if (given === undefined) return
  await withStateLock(disk, paths, async () => {
    const createdAt = createdAtOf(await readKnownContexts(disk, paths), name)
    const change = (now: GivenTitles) => {
      const all = withTitleInFolder(now.get(name), given, createdAt) ?? given
      return new Map([[name, { ...all, createdAt: all.createdAt ?? createdAt }]])
    }
    await updateTitles(disk, paths.titles, change, noticed)
  })
  await removeTitleInFolder(disk, paths, name)
}
