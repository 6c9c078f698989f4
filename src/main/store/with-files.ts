import type { Disk } from '../disk/disk'
import { type ContextFiles, findContextFiles } from './context-files'
import { contextNotFoundError, toReadError } from './errors'
import { FileMovedError } from './file-facts'
import { type ContextPaths, contextPaths, isContextName } from './home'

const mostTries = 5

/**
 * Looks up the files of a context's transcript and has them read. Only reads, whoever holds the lock. Where a rotation moves
 * a file in between, `read` is called again from the start.
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
