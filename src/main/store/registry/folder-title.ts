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
  const given = (await readTitles(disk, paths.titles)).get(name)
  const file = fileOf(paths, name)
  if (given === undefined) return (await disk.stat(file)) !== undefined
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
 * and adds its tags and its pin to those there. The context's lock is held.
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
    const known = (await readKnownContexts(disk, paths)).find((context) => context.name === name)
    const change = (now: GivenTitles) => {
      const other = now.get(name)
      if (other === undefined) return new Map([[name, { ...given, createdAt: known?.createdAt }]])
      // Tags and a pin are no others in the place of these.
      const tags = plainTags([...(other.tags ?? []), ...(given.tags ?? [])])
      const title = other.title === undefined ? given : other
      const { createdAt } = other
      const pinned = other.pinned ?? given.pinned
      const color = other.color ?? given.color
      const hidden = other.hidden ?? given.hidden
      const isRowSame = color === other.color && hidden === other.hidden
      const isSame =
        given.tags === undefined && pinned === other.pinned && title === other && isRowSame
      const row = { pinned, color, hidden }
      const all = { ...title, createdAt, tags: tags.length === 0 ? undefined : tags, ...row }
      return isSame ? new Map() : new Map([[name, all]])
    }
    await updateTitles(disk, paths.titles, change, noticed)
  })
  await removeTitleInFolder(disk, paths, name)
}
