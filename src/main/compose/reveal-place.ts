import path from 'node:path'
import { AppError } from '../../shared/model/basics/errors'
import { LibraryKey, parseLibraryKey } from '../../shared/model/conversation/conversation'
import { liesInFolder } from '../disk/reading/real-path'
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
