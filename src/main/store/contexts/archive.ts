import { toWriteError } from '../core/errors'
import { homePaths } from '../core/home-paths'
import { type ContextMutationScope, mustExist } from '../lock/context-mutation'
import { updateContextFlags, withArchived } from '../registry/context-flags'
import { readKnownContexts, withStateLock } from '../registry/known-contexts'

/**
 * Archives a context, or brings it back: no file of it is changed, and a run in it continues.
 *
 * @throws AppError `not-found`, and what a failed write is
 */
export async function archiveContext(
  scope: ContextMutationScope,
  isArchived: boolean,
): Promise<void> {
  const { disk, home, name } = scope
  const paths = homePaths(home)
  try {
    await mustExist(scope)
    await withStateLock(disk, paths, async () => {
      const known = await readKnownContexts(disk, paths)
      const createdAt = known.find((context) => context.name === name)?.createdAt
      await updateContextFlags(
        disk,
        paths,
        (marks) => withArchived(marks, name, isArchived, createdAt),
        scope.noticed,
      )
    })
  } catch (error) {
    throw toWriteError(`That "${name}" is ${isArchived ? '' : 'not '}archived`, error)
  }
}
