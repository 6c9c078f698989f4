import type { Entry } from '../../shared/model/entry'
import { AppError } from '../../shared/model/errors'
import type { Disk } from '../disk/disk'
import { findFiles } from './context-files'
import { unreadable } from './errors'
import { FileMoved } from './file-facts'
import { contextPaths, isContextName } from './home'
import { windowEntries } from './window'

/**
 * The model's window of a context as the transcript has it: the last anchor, what that keeps of the window before, and what
 * follows it. Only reads, whoever holds the lock.
 *
 * @throws AppError `not-found`, `unreadable`
 */
export async function readWindow(
  disk: Disk,
  home: string,
  name: string,
): Promise<readonly Entry[]> {
  const none = new AppError('not-found', `There is no context "${name}".`)
  if (!isContextName(name)) throw none
  const paths = contextPaths(home, name)
  for (let tries = 0; ; tries++) {
    try {
      const found = await findFiles(disk, home, paths)
      if (found === undefined) throw none
      const entries: Entry[] = []
      for await (const entry of windowEntries({ disk, paths }, found.files)) entries.push(entry)
      return entries
    } catch (error) {
      // A rotation moved a file in between.
      if (error instanceof FileMoved && tries < 5) continue
      throw unreadable(name, error)
    }
  }
}
