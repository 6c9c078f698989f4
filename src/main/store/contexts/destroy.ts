import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { toWriteError } from '../core/errors'
import { homePaths } from '../core/home-paths'
import {
  type ContextMutationScope,
  contextFolderOf,
  tryCleanup,
  withContextLock,
} from '../lock/context-mutation'
import { updateContextFlags, withArchived } from '../registry/context-flags'
import { putTitleInFolder, removeTitleInFolder } from '../registry/folder-title'
import { removeFromState, withStateLock } from '../registry/known-contexts'
import { renameInSession } from '../registry/session'
import { forgetTitle, updateTitles } from '../registry/titles'

/**
 * Removes a context's folder as a whole, because a person asked for it; nothing else does, no expiry either.
 *
 * Its given title goes with it, in its folder, and comes back with that; the lock does not. state.json and
 * session.json stop naming it only when it is gone. Branches of it have their own copies.
 *
 * @param remove puts a folder where the person can get it back: the system's trash. What it throws is told, with its words
 *
 * @throws AppError `not-found`, `locked`; `io`: it is there as before
 */
export async function destroyContext(
  scope: ContextMutationScope,
  remove: (folder: string) => Promise<void>,
): Promise<void> {
  const { disk, home, name } = scope
  const paths = homePaths(home)
  const folder = contextFolderOf(paths, name)
  let hasTitle = false
  // The trash is somewhere that nobody tells: by this the folder is found there, and its lock is taken out of it. Where the
  // system has no such thing the lock goes by its time.
  const pinned = await disk.pin?.(folder).catch(() => undefined)
  try {
    await withContextLock(scope, async (lock) => {
      await lock.moveWith(pinned?.path ?? folder, async () => {
        await tryCleanup(scope, `The title of "${name}" was not moved to the trash`, async () => {
          hasTitle = await putTitleInFolder(disk, paths, name, scope.noticed)
        })
        try {
          await taken(remove, folder, name)
        } catch (error) {
          // It can fail with its work done, and then it is done: what is gone is not said to be there.
          if (!(await isGone(disk, folder))) {
            await removeTitleInFolder(disk, paths, name).catch(() => undefined)
            throw error
          }
          scope.noticed(
            `"${name}" was removed, but the system reported an error: ${(error as Error).message}`,
          )
        }
      })
      if ((await disk.stat(folder)) !== undefined)
        throw notRemoved(name, 'the folder is still there')
      await tryCleanup(scope, `"${name}" is still listed in state.json or session.json`, () =>
        withStateLock(disk, paths, async () => {
          await removeFromState(disk, paths, name)
          await renameInSession(disk, paths, name, undefined)
          await updateContextFlags(
            disk,
            paths,
            (marks) => withArchived(marks, name, false),
            scope.noticed,
          )
          await updateTitles(
            disk,
            paths.titles,
            hasTitle ? () => new Map([[name, 'in-folder' as const]]) : forgetTitle(name),
            scope.noticed,
          )
        }),
      )
    })
  } catch (error) {
    throw toWriteError(`The removal of "${name}"`, error)
  } finally {
    await pinned?.close()
  }
}

async function isGone(disk: Disk, folder: string): Promise<boolean> {
  const names = await disk.list(path.dirname(folder)).catch(() => undefined)
  return names?.includes(path.basename(folder)) === false
}

async function taken(
  remove: (folder: string) => Promise<void>,
  folder: string,
  name: string,
): Promise<void> {
  try {
    await remove(folder)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw notRemoved(name, error instanceof Error ? error.message : String(error), error)
  }
}

function notRemoved(name: string, why: string, cause?: unknown): AppError {
  return new AppError('io', `"${name}" was not removed: ${why}.`, { detail: why, cause })
}
