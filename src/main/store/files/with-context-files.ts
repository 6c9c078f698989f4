import type { Disk } from '../../disk/interface/disk'
import { contextNotFoundError, toReadError } from '../core/errors'
import { type ContextPaths, contextPaths, isContextName } from '../core/home-paths'
import { againWhereMoved } from './again-where-moved'
import { type ContextFiles, findContextFiles } from './context-files'

/**
 * Finds the files of a context's transcript and passes them to `read`. Only reads, also while another process holds
 * the lock. Where a rotation moves a file in between, `read` is called again from the start.
 *
 * @throws AppError `not-found` (no such context), `unreadable`
 */
export async function withContextFiles<T>(
  { disk, home, name }: { readonly disk: Disk; readonly home: string; readonly name: string },
  read: (found: ContextFiles, paths: ContextPaths) => Promise<T>,
): Promise<T> {
  if (!isContextName(name)) throw contextNotFoundError(name)
  const paths = contextPaths(home, name)
  try {
    return await againWhereMoved(async () => {
      const found = await findContextFiles(disk, home, paths, 'where-it-ends-otherwise')
      if (found === undefined) throw contextNotFoundError(name)
      return read(found, paths)
    })
  } catch (error) {
    throw toReadError(name, error)
  }
}
