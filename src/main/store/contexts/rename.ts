import { AppError } from '../../../shared/model/basics/errors'
import { contextNameFault, libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { isSameFile, renameFile } from '../../disk/writing/atomic'
import { toWriteError } from '../core/errors'
import { type HomePaths, homePaths } from '../core/home-paths'
import {
  type ContextMutationScope,
  contextFolderOf,
  tryCleanup,
  withContextLock,
} from '../lock/context-mutation'
import {
  archivedNames,
  type ContextFlags,
  updateContextFlags,
  withArchived,
} from '../registry/context-flags'
import { restoreTitleFromFolder } from '../registry/folder-title'
import {
  listUnderBothNames,
  readKnownContexts,
  removeFromState,
  withStateLock,
} from '../registry/known-contexts'
import { renameLabels } from '../registry/labels'
import { renameInSession } from '../registry/session'
import { forgetTitle, renameTitles, updateTitles } from '../registry/titles'

/**
 * Renames a context: its folder gets the new name in one step, and no file in it is changed.
 *
 * Everything outside that names it is prepared before and tidied up after that step, so that at every moment one whole
 * context can be reached, and chibi keeps its facts in state.json. Entries keep the name that it had when they were
 * written; so do the anchors of its branches, for which the flags keep the former names.
 *
 * @throws AppError `bad-argument` (no name for a context), `not-found`, `exists`, `locked`, and what a failed write is
 */
export async function renameContext(scope: ContextMutationScope, to: string): Promise<void> {
  const { disk, name: from } = scope
  const fault = contextNameFault(to)
  if (fault !== undefined) throw new AppError('bad-argument', fault)
  if (to === from) return
  const paths = homePaths(scope.home)
  try {
    await withContextLock(scope, async (lock) => {
      await mustBeFree(scope, paths, to)
      try {
        await restoreTitleFromFolder(disk, paths, from, scope.noticed)
        await announce(scope, paths, to)
        const [folder, target] = [contextFolderOf(paths, from), contextFolderOf(paths, to)]
        const meant = await disk.stat(folder)
        await lock.moveWith(target, () => moveFolder(disk, folder, target, meant))
      } catch (error) {
        // Only where the folder still has the old name, as far as anybody can look: else the new one is all that leads to it.
        const there = await disk.stat(contextFolderOf(paths, from)).catch(() => undefined)
        if (there?.kind === 'directory')
          await tryCleanup(scope, 'state.json lists a name that is not used', () =>
            takeBack(scope, paths, to),
          )
        throw error
      }
      await tryCleanup(scope, 'The new name may be lost in a power failure', () =>
        disk.syncFolder(paths.contexts),
      )
      await tryCleanup(scope, `"${from}" is still listed in state.json or session.json`, () =>
        settle(scope, paths, to),
      )
    })
  } catch (error) {
    throw toWriteError(`The new name of "${from}"`, error)
  }
}

/** @throws AppError `lock-lost`: another has moved the folder, and made one of its name; then that has its name again */
async function moveFolder(
  disk: Disk,
  from: string,
  to: string,
  meant: FileStat | undefined,
): Promise<void> {
  await renameFile(disk, from, to)
  if (isSameFile(meant, await disk.stat(to))) return
  await renameFile(disk, to, from)
  throw new AppError('lock-lost', 'Another process renamed this conversation at the same time.')
}

/** @throws AppError `exists`; DiskError */
async function mustBeFree(
  { disk, name }: ContextMutationScope,
  paths: HomePaths,
  to: string,
): Promise<void> {
  const taken = new AppError('exists', `The name "${to}" is already taken.`)
  if ((await disk.list(paths.contexts)).includes(to)) throw taken
  const there = await disk.stat(contextFolderOf(paths, to))
  if (there === undefined) return
  // A disk to which large and small letters are one finds the folder itself under its new name.
  const own = await disk.stat(contextFolderOf(paths, name))
  const isItself = own?.identity === there.identity && to.toLowerCase() === name.toLowerCase()
  if (!isItself) throw taken
}

/** Before the folder has the new name: what is known under the old one is known under both. */
async function announce(scope: ContextMutationScope, paths: HomePaths, to: string): Promise<void> {
  const { disk, name: from } = scope
  const at = Math.floor(scope.now() / 1000)
  await withStateLock(disk, paths, async () => {
    const known = await readKnownContexts(disk, paths)
    const createdAt = known.find((context) => context.name === from)?.createdAt
    const remembered = (marks: ContextFlags) => ({
      ...withArchived(marks, to, archivedNames(marks, known).includes(from), createdAt),
      renamed: [...marks.renamed, { from, to, at }],
    })
    await updateContextFlags(disk, paths, remembered, scope.noticed)
    await updateTitles(disk, paths.titles, (now) => renameTitles(now, from, to), scope.noticed)
    await listUnderBothNames(disk, paths, from, to)
  })
}

/** After it has the new name: the old one is forgotten. */
async function settle(scope: ContextMutationScope, paths: HomePaths, to: string): Promise<void> {
  const { disk, name: from } = scope
  await withStateLock(disk, paths, async () => {
    await removeFromState(disk, paths, from, to)
    await renameInSession(disk, paths, from, to)
    await updateContextFlags(
      disk,
      paths,
      (marks) => withArchived(marks, from, false),
      scope.noticed,
    )
    await updateTitles(disk, paths.titles, forgetTitle(from), scope.noticed)
    await renameLabels(
      disk,
      paths.labels,
      libraryKeyOf('chibi', from),
      libraryKeyOf('chibi', to),
      scope.noticed,
    )
  })
}

/** The folder has not got the new name. */
async function takeBack(scope: ContextMutationScope, paths: HomePaths, to: string): Promise<void> {
  const { disk, name: from } = scope
  await withStateLock(disk, paths, async () => {
    await removeFromState(disk, paths, to)
    await updateTitles(disk, paths.titles, forgetTitle(to), scope.noticed)
    const forgotten = (marks: ContextFlags) => {
      const last = marks.renamed.at(-1)
      const isOurs = last?.from === from && last.to === to
      return withArchived(
        isOurs ? { ...marks, renamed: marks.renamed.slice(0, -1) } : marks,
        to,
        false,
      )
    }
    await updateContextFlags(disk, paths, forgotten, scope.noticed)
  })
}
