import path from 'node:path'
import { AppError } from '../../shared/model/basics/errors'
import {
  LibraryKey,
  libraryKeyOf,
  parseLibraryKey,
} from '../../shared/model/conversation/conversation'
import type { Disk } from '../disk/interface/disk'
import { liesInFolder, realPathOrNone } from '../disk/reading/real-path'
import type { Home } from '../home/home'
import { type Histories, realFileOf } from '../library/sources/histories'

/**
 * Finds the path of a conversation's file: the home itself without a key, the conversation's folder or newest file
 * without a file that is its own. Key and file come from the page.
 *
 * @throws AppError `bad-argument`, `not-found`
 */
export async function fileToReveal(
  home: string,
  histories: () => Histories,
  key: string,
  file: string,
): Promise<string> {
  if (key === '') return home
  if (parseLibraryKey(key).source !== 'chibi') {
    const history = await histories().find(LibraryKey.parse(key))
    if (history === undefined)
      throw new AppError('not-found', `There is no conversation "${key}" any more.`)
    const { root, files } = history.ref
    const found = files.find((one) => one.file === file) ?? files.at(-1)
    return realFileOf(path.join(root, found?.file ?? ''))
  }
  const contexts = path.join(home, 'contexts')
  const folder = path.join(contexts, key)
  const target = file === '' ? folder : path.resolve(home, file)
  // It must not lead out of the conversation's own folder.
  const isInside = liesInFolder(folder, target)
  if (path.dirname(folder) !== contexts || !isInside)
    throw new AppError('bad-argument', 'That file is not part of this conversation.')
  return target
}

/**
 * Finds the conversations that lie in a file: a context of the home where it is one of its transcript's files, or those of the histories that
 * are read. Lists the histories where one of their roots holds it.
 */
export async function conversationsAt(
  disk: Disk,
  home: string,
  contexts: Pick<Home['contexts'], 'find'>,
  histories: Pick<Histories, 'roots' | 'list'>,
  file: string,
): Promise<readonly LibraryKey[]> {
  const real = await realPathOrNone(disk, file)
  if (real === undefined) return []
  // One that cannot be looked at keeps the others from nothing.
  const placeOf = (target: string) => realPathOrNone(disk, target).catch(() => undefined)
  const lies = async (folder: string) => {
    const place = await placeOf(folder)
    return place !== undefined && liesInFolder(place, real) ? path.relative(place, real) : undefined
  }
  const [context] = (await lies(path.join(home, 'contexts')))?.split(path.sep) ?? []
  const listing = context ? await contexts.find(context) : undefined
  const own = await Promise.all((listing?.files ?? []).map((each) => placeOf(each.path)))
  if (listing !== undefined && own.includes(real)) return [libraryKeyOf('chibi', listing.name)]
  const under = await Promise.all(histories.roots.map((root) => lies(root.path)))
  if (under.every((way) => way === undefined)) return []
  const found = new Set<LibraryKey>()
  for (const { key, ref } of await histories.list())
    for (const each of ref.files) {
      const place = realFileOf(path.join(ref.root, each.file))
      const isNamed = path.basename(place) === path.basename(real)
      if (place === real || (isNamed && (await placeOf(place)) === real)) found.add(key)
    }
  return [...found]
}
