import type { Disk } from '../../disk/interface/disk'
import { contextNotFoundError, toReadError } from '../core/errors'
import { type ContextPaths, contextPaths, isContextName } from '../core/home-paths'
import { FileMovedError } from '../lines/file-facts'
import { type ContextFiles, findContextFiles } from './context-files'

const mostTries = 5

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
  for (let tries = 0; ; tries++) {
    try {
      const found = await findContextFiles(disk, home, paths, 'where-it-ends-otherwise')
      if (found === undefined) throw contextNotFoundError(name)
      return await read(found, paths)
    } catch (error) {
      if (error instanceof FileMovedError && tries < mostTries) continue
      throw toReadError(name, error)
    }
  }
}
