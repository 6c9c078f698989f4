import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import {
  type LibraryKey,
  libraryKeyOf,
  parseLibraryKey,
} from '../../../shared/model/conversation/conversation'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import { plainTags } from '../../../shared/model/conversation/tag'
import type { Outline } from '../../../shared/model/family/outline'
import { joinCalls } from '../../async/mutex'
import type { Disk } from '../../disk/interface/disk'
import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import { whenExclusive } from '../../disk/process/exclusive'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { toWriteError } from '../../store/core/errors'
import {
  type GivenTitle,
  type GivenTitles,
  listContextNames,
  readKnownContexts,
  readTitleFile,
  readTitleInFolder,
  readTitles,
  removeTitleInFolder,
  type TitleAndTags,
  type TitleStore,
  updateTitles,
  withStateLock,
  withTitleInFolder,
} from '../../store/given-titles'
import { contextPaths, type HomePaths, homePaths } from '../../store/paths'

/** The files and the clock of given titles. */
export interface TitlesOptions {
  readonly disk: Disk
  /** Undefined where other systems' conversations alone are read. */
  readonly home: string | undefined
  /** Where Skein's own files of a person lie; need not exist. */
  readonly userFolder: string
  readonly note?: (words: string) => void
  /** Unix milliseconds. */
  readonly now?: () => number
}

/** The time for which another Skein may be in the middle of writing. */
const waitMs = 3000

/** Contexts that state.json does not list and that are still checked for a title in their folder, at most. */
const mostUnlisted = 1000

/** Name of the file of titles of other systems' conversations. */
export const foreignTitlesFile = 'titles.json'

/** One of the two files, as it was last read. */
interface Book {
  stamp: string | undefined
  titles: GivenTitles
  /** Why the last refresh could not read it. */
  fault: string | undefined
}

/** Creates the `TitleStore` of a home and of other systems' conversations; reads nothing at first. */
export function openTitles(options: TitlesOptions): TitleStore {
  const { disk, home, userFolder, note = () => {}, now: clock = Date.now } = options
  const paths = home === undefined ? undefined : homePaths(home)
  const foreign = path.join(userFolder, foreignTitlesFile)
  const ofHome: Book = { stamp: undefined, titles: new Map(), fault: undefined }
  const ofOthers: Book = { stamp: undefined, titles: new Map(), fault: undefined }
  let version = 0
  async function refresh(book: Book, files: readonly string[], read: () => Promise<GivenTitles>) {
    try {
      const stats = await Promise.all(files.map((file) => disk.stat(file)))
      const stamp = JSON.stringify(
        stats.map((stat) => [stat?.identity, stat?.sizeBytes, stat?.mtimeMs]),
      )
      if (stamp !== book.stamp) {
        const titles = await read()
        const isFirst = book.stamp === undefined && titles.size === 0
        Object.assign(book, { stamp, titles })
        if (!isFirst) version++
      }
      book.fault = undefined
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error)
      if (book.fault === undefined) note(`titles: ${fault}`)
      book.fault = fault
    }
  }

  /** One file that cannot be read leaves the other one's titles. */
  async function refreshNow(): Promise<void> {
    if (paths !== undefined)
      // The folder of contexts too: one may come back from the trash, with its title.
      await refresh(ofHome, [paths.titles, paths.state, paths.contexts], async () => {
        const { titles, inFolders } = await readTitleFile(disk, paths.titles)
        // Where state.json cannot be read, a title counts for the context that has the name.
        const known = await readKnownContexts(disk, paths).catch(() => [])
        const createdAt = new Map(known.map((one) => [one.name, one.createdAt] as const))
        const inFolder = await titlesInFolders(paths, inFolders, createdAt)
        // An older Skein leaves a colour in the file while the title goes with the folder: the one does not cover the other.
        const all = new Map(inFolder)
        for (const [name, stored] of titles) {
          const given = withTitleInFolder(stored, inFolder.get(name), createdAt.get(name))
          if (given !== undefined) all.set(name, given)
        }
        return all
      })
    await refresh(ofOthers, [foreign], () => readTitles(disk, foreign))
  }

  /** One after the other: an older refresh must not undo a newer one. */
  const look = joinCalls(refreshNow)

  async function write(key: LibraryKey, work: () => Promise<void>): Promise<void> {
    if (isOfHome(key) && paths !== undefined) return withStateLock(disk, paths, work)
    await makeDurableFolder(disk, userFolder)
    const done = await whenExclusive(disk, `${foreign}.writing`, waitMs, work)
    if (done === undefined) throw new Error('another Skein did not release the titles')
  }

  /** Of contexts that came back from the trash: those that were sent there, and those that state.json does not list (any more). */
  async function titlesInFolders(
    home: HomePaths,
    sent: readonly string[],
    known: ReadonlyMap<string, unknown>,
  ): Promise<GivenTitles> {
    const names = await listContextNames(disk, home).catch(() => [])
    const unlisted = names.filter((name) => !known.has(name))
    const there = new Set(names)
    const asked = new Set([
      ...sent.filter((name) => there.has(name)),
      // In a home that lists hardly any of its contexts this means nothing.
      ...(unlisted.length > mostUnlisted ? [] : unlisted),
    ])
    const found = new Map<string, TitleAndTags>()
    await mapConcurrent([...asked], async (name) => {
      const given = await readTitleInFolder(disk, home, name)
      if (given !== undefined) found.set(name, given)
    })
    return found
  }

  /**
   * Changes the title and tags of a conversation, by its present ones; `as-is` writes nothing. Afterwards readers see them.
   *
   * @throws DiskError; Error where another process does not let go of the titles; what `next` throws
   */
  async function change(
    key: LibraryKey,
    next: (now: TitleAndTags | undefined, isThere: boolean) => TitleAndTags | 'as-is' | undefined,
  ): Promise<void> {
    const home = isOfHome(key) ? paths : undefined
    await write(key, async () => {
      // Renamed or removed meanwhile: another one of this name, as names are made, has no part in it.
      const isStillThere = await isThere(key)
      const createdAt = await createdAtOf(key)
      const inFolder = home === undefined ? undefined : await readTitleInFolder(disk, home, key)
      let isChanged = false
      await updateTitles(
        disk,
        home?.titles ?? foreign,
        (all) => {
          const given = next(withTitleInFolder(all.get(key), inFolder, createdAt), isStillThere)
          isChanged = given !== 'as-is'
          if (given === 'as-is') return new Map()
          return new Map([[key, given && { ...given, createdAt }]])
        },
        note,
      )
      // What came back in the folder counts no longer.
      if (isChanged && home !== undefined) await removeTitleInFolder(disk, home, key)
    })
    await look()
  }

  return {
    look,
    of: (key) => titleIn(given(key)),
    tagsOf: (key) => given(key)?.tags ?? [],
    isPinned: (key) => given(key)?.pinned === true,
    faultOf(key) {
      const { stamp, fault } = isOfHome(key) ? ofHome : ofOthers
      return stamp === undefined ? fault : undefined
    },
    async give(key, title, mayGive = () => true) {
      let isGiven = false
      try {
        await change(key, (now, isStillThere) => {
          isGiven = (title === undefined || isStillThere) && mayGive(titleIn(now))
          if (!isGiven) return 'as-is'
          const { tags, pinned, color, hidden, at = 0 } = now ?? {}
          const others = { tags, pinned, color, hidden }
          return title === undefined
            ? orNothing({ by: 'person', at, ...others })
            : { ...title, ...others }
        })
      } catch (error) {
        throw toWriteError(`The title of "${key}"`, error)
      }
      return isGiven
    },
    async changeTags(key, changed) {
      let tags: readonly string[] = []
      try {
        await change(key, (now, isStillThere) => {
          if (!isStillThere) throw new AppError('not-found', `"${key}" no longer exists.`)
          const before = now?.tags ?? []
          tags = plainTags(changed(before))
          if (JSON.stringify(tags) === JSON.stringify(before)) return 'as-is'
          return orNothing({ ...(now ?? givenNow()), tags: tags.length > 0 ? tags : undefined })
        })
      } catch (error) {
        throw toWriteError(`The tags of "${key}"`, error)
      }
      return tags
    },
    setPinned: (key, isPinned) => setRow(key, 'pin', { pinned: isPinned ? true : undefined }),
    colorOf: (key) => given(key)?.color,
    setColor: (key, color) => setRow(key, 'colour', { color }),
    isHidden: (key) => given(key)?.hidden === true,
    setHidden: (key, isHidden) => setRow(key, 'state', { hidden: isHidden ? true : undefined }),
    get version() {
      return version
    },
  }

  /** Gives what a row shows, or takes it away: that of one that is gone, too. @param word what it is, for people */
  async function setRow(
    key: LibraryKey,
    word: string,
    row: Pick<TitleAndTags, 'pinned' | 'color' | 'hidden'>,
  ): Promise<void> {
    const [[name, value] = []] = Object.entries(row)
    try {
      await change(key, (now, isStillThere) => {
        if (!isStillThere && value !== undefined)
          throw new AppError('not-found', `"${key}" no longer exists.`)
        if (name !== undefined && now?.[name as keyof typeof row] === value) return 'as-is'
        return orNothing({ ...(now ?? givenNow()), ...row })
      })
    } catch (error) {
      throw toWriteError(`The ${word} of "${key}"`, error)
    }
  }

  function givenNow(): TitleAndTags {
    return { by: 'person', at: clock() / 1000 }
  }

  function given(key: LibraryKey): TitleAndTags | undefined {
    return (isOfHome(key) ? ofHome : ofOthers).titles.get(key)
  }

  async function isThere(key: LibraryKey): Promise<boolean> {
    if (!isOfHome(key) || home === undefined) return true
    return (await disk.stat(contextPaths(home, key).folder)) !== undefined
  }

  async function createdAtOf(key: LibraryKey): Promise<number | undefined> {
    if (!isOfHome(key) || paths === undefined) return undefined
    // If state.json cannot be read now, the title must not count for another context of this name: it is given later.
    const known = await readKnownContexts(disk, paths)
    return known.find(({ name }) => name === key)?.createdAt
  }
}

/**
 * Returns the missing part for a conversation whose given title and tags could not be read.
 *
 * @param fault of `TitleStore.faultOf`
 */
export function unreadTitlePart(file: string, fault: string): UnreadPart {
  const sentence = `Titles and tags from Skein were not read: ${fault.replace(/\.$/, '')}.`
  return { file, fromByte: 0, cause: 'failed', sentence }
}

/** Returns an outline with the title that was given to its conversation, for showing its family. */
export function titledOutline(outline: Outline, titles: Pick<TitleStore, 'of'>): Outline {
  const title = titles.of(libraryKeyOf(outline.source, outline.key))?.title
  return title == null ? outline : { ...outline, title, storedTitle: title }
}

/** Returns what was given as the title, or in its place; undefined where tags are all that was given. */
function titleIn(given: TitleAndTags | undefined): GivenTitle | undefined {
  if (given?.title === undefined) return undefined
  const { title, tags: _tags, pinned: _pinned, color: _c, hidden: _h, ...rest } = given
  return { title, ...rest }
}

/** Returns undefined for an item that gives nothing any more. */
function orNothing(given: TitleAndTags): TitleAndTags | undefined {
  const { title, tags, pinned, color, hidden } = given
  return [title, tags, pinned, color, hidden].every((one) => one === undefined) ? undefined : given
}

/** Returns true for the key of a context of the home. */
export function isOfHome(key: LibraryKey): boolean {
  return parseLibraryKey(key).source === 'chibi'
}
