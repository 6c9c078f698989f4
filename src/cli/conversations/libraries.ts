import path from 'node:path'
import { isNotFound } from '../../main/disk/reading/read'
import { type Library, openLibrary } from '../../main/library/library'
import { openHistories } from '../../main/library/sources/histories'
import type { CommandContext } from '../command/command'
import { cacheFolder, chibiStores, type NamedStore } from '../homes/named-homes'
import { openGivenTitles } from './titles'
import { isUnreadable } from './tolerant-reader'

/**
 * Opens the libraries of the roots that were named, gives them to `work`, and closes them. The first home and all other
 * systems' roots are one library, as they are in the window; further homes are each their own. A home that cannot be read
 * is told of and left out where there is something else to read.
 */
export async function withLibraries<T>(
  context: CommandContext,
  work: (libraries: readonly Library[]) => Promise<T>,
): Promise<T> {
  const { args, disk, output, environment } = context
  const homes = await readableHomes(context)
  const noticed = (words: string) => output.say(words)
  const none = openHistories(disk, [], noticed)
  const libraries = (homes.length > 0 ? homes : [{ store: undefined, shown: '' }]).map(
    ({ store, shown }): Library => {
      const histories = store === homes[0]?.store ? openHistories(disk, args.roots, noticed) : none
      return openLibrary({
        disk,
        store,
        shownHome: shown,
        histories,
        cacheFolder: cacheFolder(args, environment),
        titles: openGivenTitles(context, store?.home),
        isRunning: () => false,
        changed: () => {},
        note: noticed,
        watched: false,
      })
    },
  )
  try {
    return await work(libraries)
  } finally {
    for (const library of libraries) await library.close()
  }
}

async function readableHomes({
  args,
  disk,
  output,
}: CommandContext): Promise<readonly NamedStore[]> {
  const homes = chibiStores(args, disk)
  if (args.roots.length < 2) return homes
  const readable: NamedStore[] = []
  for (const home of homes)
    try {
      await disk.list(path.join(home.store.home, 'contexts'))
      readable.push(home)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      if (isNotFound(error)) readable.push(home)
      else output.say(`${home.shown} cannot be read: ${error.message}.`)
    }
  return readable
}
