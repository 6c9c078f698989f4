import path from 'node:path'
import { type LibraryKey, libraryKeyOf, partsOf } from '../../shared/model/conversation'
import type { Outline } from '../../shared/model/outline'
import type { Disk } from '../disk/disk'
import { whenExclusive } from '../disk/exclusive'
import { inTurn } from '../disk/in-turn'
import { unwritten } from '../store/errors'
import { readTitleInFolder, removeTitleInFolder } from '../store/folder-title'
import { contextPaths, type HomePaths, homePaths } from '../store/home'
import { contextNames } from '../store/listing'
import { readKnownContexts, withHomeFiles } from '../store/state'
import {
  changeTitles,
  type GivenTitle,
  type GivenTitles,
  readTitleFile,
  readTitles,
  type Titles,
} from '../store/titles'

export interface TitlesOptions {
  readonly disk: Disk
  /** Undefined where other systems' conversations alone are read. */
  readonly home: string | undefined
  /** Where Skein's own files of a person lie; need not exist. */
  readonly userFolder: string
  readonly note?: (words: string) => void
}

/** How long another Skein may be in the middle of writing. */
const waitMs = 3000

/** So many contexts that state.json does not list are looked into for a title. */
const mostUnlisted = 1000

/** The file of titles of other systems' conversations. */
const foreignTitlesFile = 'titles.json'

/** One of the two files, as it was last read. */
interface Book {
  stamp: string | undefined
  titles: GivenTitles
}

export function openTitles(options: TitlesOptions): Titles {
  const { disk, home, userFolder, note = () => {} } = options
  const paths = home === undefined ? undefined : homePaths(home)
  const foreign = path.join(userFolder, foreignTitlesFile)
  const ofHome: Book = { stamp: undefined, titles: new Map() }
  const ofOthers: Book = { stamp: undefined, titles: new Map() }
  let version = 0
  let looking: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined
  let isNoted = false

  async function refresh(book: Book, files: readonly string[], read: () => Promise<GivenTitles>) {
    const stats = await Promise.all(files.map((file) => disk.stat(file)))
    const stamp = JSON.stringify(
      stats.map((stat) => [stat?.identity, stat?.sizeBytes, stat?.mtimeMs]),
    )
    if (stamp === book.stamp) return
    const titles = await read()
    const isFirst = book.stamp === undefined && titles.size === 0
    Object.assign(book, { stamp, titles })
    if (!isFirst) version++
  }

  async function lookNow(): Promise<void> {
    try {
      if (paths !== undefined)
        // The folder of contexts too: one may come back from the trash, with its title.
        await refresh(ofHome, [paths.titles, paths.state, paths.contexts], async () => {
          const { titles, inFolders } = await readTitleFile(disk, paths.titles)
          // Where state.json cannot be read, a title stands for whoever has the name.
          const known = await readKnownContexts(disk, paths).catch(() => [])
          const createdAt = new Map(known.map((one) => [one.name, one.createdAt] as const))
          const given = ofThese(titles, createdAt)
          return new Map([...(await titlesInFolders(paths, inFolders, createdAt)), ...given])
        })
      await refresh(ofOthers, [foreign], () => readTitles(disk, foreign))
      isNoted = false
    } catch (error) {
      if (!isNoted) note(`titles: ${error instanceof Error ? error.message : String(error)}`)
      isNoted = true
    }
  }

  /** One after the other: an older look must not undo what a newer one has found. Those who wait share the next one. */
  function look(): Promise<void> {
    if (next !== undefined) return next
    next = looking.then(() => {
      next = undefined
      return lookNow()
    })
    looking = next
    return next
  }

  async function write(key: LibraryKey, work: () => Promise<void>): Promise<void> {
    if (isOfHome(key) && paths !== undefined) return withHomeFiles(disk, paths, work)
    await disk.makeFolder(userFolder)
    const done = await whenExclusive(disk, `${foreign}.writing`, waitMs, work)
    if (done === undefined) throw new Error('another Skein did not let go of the titles')
  }

  /** Of contexts that came back from the trash: those that were sent there, and those that state.json does not list (any more). */
  async function titlesInFolders(
    home: HomePaths,
    sent: readonly string[],
    known: ReadonlyMap<string, unknown>,
  ): Promise<GivenTitles> {
    const names = await contextNames(disk, home).catch(() => [])
    const unlisted = names.filter((name) => !known.has(name))
    const there = new Set(names)
    const asked = new Set([
      ...sent.filter((name) => there.has(name)),
      // A home that lists hardly any of its contexts says nothing by it.
      ...(unlisted.length > mostUnlisted ? [] : unlisted),
    ])
    const found = new Map<string, GivenTitle>()
    await inTurn([...asked], async (name) => {
      const given = await readTitleInFolder(disk, home, name)
      if (given !== undefined) found.set(name, given)
    })
    return found
  }

  return {
    look,
    of: (key) => (isOfHome(key) ? ofHome : ofOthers).titles.get(key),
    async give(key, title, mayGive = () => true) {
      const file = isOfHome(key) && paths !== undefined ? paths.titles : foreign
      let isGiven = false
      try {
        await write(key, async () => {
          // Renamed or removed meanwhile: another one of this name, as names are made, has no part in it.
          if (title !== undefined && !(await isThere(key))) return
          const createdAt = await createdAtOf(key)
          const inFolder =
            isOfHome(key) && paths !== undefined
              ? await readTitleInFolder(disk, paths, key)
              : undefined
          await changeTitles(
            disk,
            file,
            (all) => {
              const there = all.get(key) ?? inFolder
              const now = there !== undefined && isAnother(there, createdAt) ? undefined : there
              isGiven = mayGive(now)
              if (!isGiven) return new Map()
              return new Map([[key, title === undefined ? undefined : { ...title, createdAt }]])
            },
            note,
          )
          // One that came back in the folder counts no longer.
          if (isGiven && isOfHome(key) && paths !== undefined)
            await removeTitleInFolder(disk, paths, key)
        })
      } catch (error) {
        throw unwritten(`The title of "${key}"`, error)
      }
      await look()
      return isGiven
    },
    get version() {
      return version
    },
  }

  async function isThere(key: LibraryKey): Promise<boolean> {
    if (!isOfHome(key) || home === undefined) return true
    return (await disk.stat(contextPaths(home, key).folder)) !== undefined
  }

  async function createdAtOf(key: LibraryKey): Promise<number | undefined> {
    if (!isOfHome(key) || paths === undefined) return undefined
    // One that cannot be read now must not make the title one of whoever has the name: it is given a moment later.
    const known = await readKnownContexts(disk, paths)
    return known.find(({ name }) => name === key)?.createdAt
  }
}

/** A conversation as its family shows it: under the title that was given to it. */
export function titledOutline(outline: Outline, titles: Pick<Titles, 'of'>): Outline {
  const title = titles.of(libraryKeyOf(outline.source, outline.key))?.title
  return title == null ? outline : { ...outline, title, storedTitle: title }
}

function isOfHome(key: LibraryKey): boolean {
  return partsOf(key).source === 'chibi'
}

/** Without those of contexts that were made at another time than the one that has the name now: chibi removes and makes them too. */
function ofThese(
  titles: GivenTitles,
  createdAt: ReadonlyMap<string, number | undefined>,
): GivenTitles {
  return new Map([...titles].filter(([name, given]) => !isAnother(given, createdAt.get(name))))
}

function isAnother(given: GivenTitle, createdAt: number | undefined): boolean {
  return given.createdAt !== undefined && createdAt !== undefined && given.createdAt !== createdAt
}
