import { openHistories } from '../main/library/histories'
import { type Library, openLibrary } from '../main/library/library'
import type { CommandContext } from './command'
import { cacheFolder, chibiStores } from './homes'

/**
 * Opens the libraries of the roots that were named, gives them to `work`, and closes them. The first home and all other
 * systems' roots are one library, as they are in the window; further homes are each their own.
 */
export async function withLibraries<T>(
  { args, disk, output, environment }: CommandContext,
  work: (libraries: readonly Library[]) => Promise<T>,
): Promise<T> {
  const homes = chibiStores(args, disk)
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
