import path from 'node:path'
import type { Disk } from '../disk/disk'
import { type ContextLock, takeLock } from './context-lock'
import { noContext } from './errors'
import { type HomePaths, homePaths, isContextName } from './home'
import type { LockOptions } from './lock-files'

/** What a change of a context as a whole needs: its name, its folder, its being there. */
export interface WholeContextScope {
  readonly disk: Disk
  readonly home: string
  readonly name: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly lock: LockOptions
  /** Is told what could not be put right afterwards, one sentence each. */
  readonly noticed: (notice: string) => void
}

/**
 * Does some work on a context as a whole while its lock is held. Nobody is waited for: who holds it is at work there.
 *
 * @throws AppError `not-found`, `locked`; DiskError
 */
export async function underLock<T>(
  scope: WholeContextScope,
  work: (lock: ContextLock) => Promise<T>,
): Promise<T> {
  await mustBeThere(scope)
  const lock = await takeLock({ ...scope.lock, waitMs: 0 })
  try {
    // Again, now that nobody else can take it away.
    await mustBeThere(scope)
    return await work(lock)
  } finally {
    // A lock that is not beaten goes stale by itself; where its folder is gone, so is it.
    await lock.release().catch(() => undefined)
  }
}

/** @throws AppError `not-found`; DiskError */
export async function mustBeThere({ disk, home, name }: WholeContextScope): Promise<void> {
  const folder = isContextName(name) ? await disk.stat(folderOf(homePaths(home), name)) : undefined
  if (folder?.kind !== 'directory') throw noContext(name)
}

export function folderOf(paths: HomePaths, name: string): string {
  return path.join(paths.contexts, name)
}

/** Tries what only tidies up: the change itself is done, and stands. */
export async function tidied(
  scope: Pick<WholeContextScope, 'noticed'>,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    scope.noticed(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
