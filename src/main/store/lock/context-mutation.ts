import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { contextNotFoundError } from '../core/errors'
import { type HomePaths, homePaths, isContextName } from '../core/home-paths'
import { acquireContextLock, type ContextLock } from './context-lock'
import type { LockOptions } from './lock-files'

/** The context that a change concerns as a whole: its disk, home, name, clock and lock. */
export interface ContextMutationScope {
  readonly disk: Disk
  readonly home: string
  readonly name: string
  /** Unix milliseconds. */
  readonly now: () => number
  readonly lock: LockOptions
  /** Called with what could not be tidied up afterwards, one sentence each. */
  readonly noticed: (notice: string) => void
}

/**
 * Does some work on a context as a whole while it holds the context's lock. It does not wait: another holder is at
 * work there.
 *
 * @throws AppError `not-found`, `locked`; DiskError
 */
export async function withContextLock<T>(
  scope: ContextMutationScope,
  work: (lock: ContextLock) => Promise<T>,
): Promise<T> {
  await mustExist(scope)
  const lock = await acquireContextLock({ ...scope.lock, waitMs: 0 })
  try {
    // Again, now that no other process can remove it.
    await mustExist(scope)
    return await work(lock)
  } finally {
    // A lock that is not beaten goes stale by itself; where its folder is gone, so is it.
    await lock.release().catch(() => undefined)
  }
}

/**
 * Checks that a context has a folder.
 *
 * @throws AppError `not-found`; DiskError
 */
export async function mustExist({ disk, home, name }: ContextMutationScope): Promise<void> {
  const folder = isContextName(name)
    ? await disk.stat(contextFolderOf(homePaths(home), name))
    : undefined
  if (folder?.kind !== 'directory') throw contextNotFoundError(name)
}

/** Returns the folder of a context. */
export function contextFolderOf(paths: HomePaths, name: string): string {
  return path.join(paths.contexts, name)
}

/** Does work that only tidies up after a change; a failure becomes a notice, since the change itself is done. */
export async function tryCleanup(
  scope: Pick<ContextMutationScope, 'noticed'>,
  what: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work()
  } catch (error) {
    scope.noticed(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}
