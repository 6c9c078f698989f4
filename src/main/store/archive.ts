import { changeMarks, withArchived } from './context-marks'
import { unwritten } from './errors'
import { homePaths } from './home'
import { readKnownContexts, withHomeFiles } from './state'
import { mustBeThere, type WholeContextScope } from './whole-context'

/**
 * Puts a context away, or back: no file of it is touched, and whoever works in it goes on.
 *
 * @throws AppError `not-found`, and what a failed write is
 */
export async function archiveContext(scope: WholeContextScope, isArchived: boolean): Promise<void> {
  const { disk, home, name } = scope
  const paths = homePaths(home)
  try {
    await mustBeThere(scope)
    await withHomeFiles(disk, paths, async () => {
      const known = await readKnownContexts(disk, paths)
      const createdAt = known.find((context) => context.name === name)?.createdAt
      await changeMarks(
        disk,
        paths,
        (marks) => withArchived(marks, name, isArchived, createdAt),
        scope.noticed,
      )
    })
  } catch (error) {
    throw unwritten(`That "${name}" is ${isArchived ? '' : 'not '}archived`, error)
  }
}
