import { AppError } from '../../../shared/model/basics/errors'
import type { HomeFinding } from '../../../shared/model/checkup'
import { DiskError } from '../../disk/interface/disk'
import { moveAside } from '../../disk/writing/move-aside'
import { contextPaths, homePaths, homeRelativePath } from '../core/home-paths'
import { findContextFiles } from '../files/context-files'
import { withContextLock } from '../lock/context-mutation'
import { findSalvages, isWindowDerived } from './context-findings'
import { type CheckupScope, homeFiles } from './home-files'
import { repairHomeFile, whileStateIsFree } from './repair-file'
import { type SalvageStore, salvageContext } from './salvage'

/** A repair that did not succeed, with a sentence for people. */
export interface FailedRepair {
  readonly place: string
  readonly why: string
}

/**
 * Repairs what a checkup found and offers to repair. No line of a transcript is changed, moved inside its file or removed: what is
 * broken stays under a new name, and what is left to do in a context is what every opening for writing does. One that fails is told,
 * and the others are done.
 *
 * @throws the signal's reason
 */
export async function repairStore(
  scope: CheckupScope,
  store: SalvageStore,
  findings: readonly HomeFinding[],
  signal: AbortSignal,
): Promise<readonly FailedRepair[]> {
  const { disk, home } = scope
  const paths = homePaths(home)
  const failed: FailedRepair[] = []
  const tried = async (place: string, work: () => Promise<void>) => {
    signal.throwIfAborted()
    try {
      await work()
    } catch (error) {
      if (!(error instanceof AppError || error instanceof DiskError)) throw error
      failed.push({ place, why: error.message })
    }
  }
  const repairable = findings.filter(({ repair }) => repair !== null)
  const kinds = new Set(repairable.map(({ kind }) => kind))
  // state.json last: the times in it are those that titles and labels are bound to.
  for (const file of [...homeFiles(paths)].reverse())
    if (kinds.has(file.kind))
      await tried(homeRelativePath(home, file.path), () => repairHomeFile(scope, file))
  if (repairable.some(({ kind, context }) => kind === 'claim-left' && context === null))
    await tried(homeRelativePath(home, paths.stateGate), () =>
      whileStateIsFree(disk, paths, async () => undefined),
    )
  const contexts = new Set(repairable.flatMap(({ context }) => context ?? []))
  for (const name of contexts) {
    const own = repairable.filter(({ context }) => context === name)
    await tried(`contexts/${name}`, async () => {
      if (own.some(({ kind }) => kind === 'window-damaged'))
        await putWindowAside(scope, name, signal)
      if (own.some(({ kind }) => kind !== 'lines-damaged')) {
        const writer = await store.openWriter(name, { create: false, waitMs: 0, signal })
        await writer.close()
      }
      if (own.some(({ kind }) => kind === 'lines-damaged'))
        await salvage(scope, store, name, signal)
    })
  }
  return failed
}

/** Does nothing where what is there was salvaged meanwhile. */
async function salvage(
  { disk, home }: CheckupScope,
  store: SalvageStore,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const paths = contextPaths(home, name)
  const found = await findContextFiles(disk, home, paths, 'where-it-ends-otherwise')
  if (found === undefined) return
  const marks = await findSalvages({ disk, home }, name, found, signal)
  const all = [...marks.values()]
  if (all.every(({ isIn }) => isIn !== undefined)) return
  await salvageContext(
    store,
    name,
    all.map(({ mark }) => mark),
    signal,
  )
}

/** Only while it has nothing of its own, under the lock: the opening that follows builds a new one from the transcript. */
async function putWindowAside(
  { disk, home, now, heartbeatSeconds }: CheckupScope,
  name: string,
  signal: AbortSignal,
): Promise<void> {
  const paths = contextPaths(home, name)
  const lock = { disk, folder: paths.folder, now, heartbeatSeconds }
  const noticed = () => undefined
  await withContextLock({ disk, home, name, now, lock, noticed }, async () => {
    const found = await findContextFiles(disk, home, paths, 'never')
    if (found === undefined || !(await isWindowDerived(disk, paths, found, signal))) return
    await moveAside(disk, paths.window)
    await disk.syncFolder(paths.folder)
  })
}
