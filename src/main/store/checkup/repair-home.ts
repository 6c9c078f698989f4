import { AppError } from '../../../shared/model/basics/errors'
import type { HomeFinding } from '../../../shared/model/checkup'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { isNameTaken } from '../../disk/reading/read'
import { moveToFreeName, temporaryName, withTemporary } from '../../disk/writing/atomic'
import { copyFile } from '../../disk/writing/copy-file'
import { markDirty } from '../context-window/clear'
import { contextPaths, homePaths, homeRelativePath } from '../core/home-paths'
import { findContextFiles } from '../files/context-files'
import { withContextFiles } from '../files/with-context-files'
import { FileMovedError } from '../lines/file-facts'
import { withContextLock } from '../lock/context-mutation'
import { type CheckupScope, homeFiles } from './home-files'
import { repairHomeFile, whileStateIsFree } from './repair-file'
import {
  findSalvages,
  type KnownSalvages,
  rememberSalvages,
  type SalvageStore,
  salvageContext,
} from './salvage'
import { isWindowDerived } from './window-findings'

/** A repair that did not succeed, with a sentence for people. */
export interface FailedRepair {
  readonly place: string
  readonly why: string
}

/** Listens to what a repair does. */
export interface OnRepair {
  readonly failed: (repair: FailedRepair) => void
  /** Called with findings whose repair ran to its end; nobody has looked at them again. */
  readonly made: (findings: readonly HomeFinding[]) => void
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
  on: OnRepair,
  signal: AbortSignal,
): Promise<void> {
  const { disk, home } = scope
  const paths = homePaths(home)
  const tried = async (place: string, those: readonly HomeFinding[], work: () => Promise<void>) => {
    signal.throwIfAborted()
    try {
      await work()
      on.made(those)
    } catch (error) {
      signal.throwIfAborted()
      on.failed({ place, why: whyFailed(error) })
    }
  }
  const repairable = findings.filter(({ repair }) => repair !== null)
  // state.json last: the times in it are those that titles and labels are bound to.
  for (const file of [...homeFiles(paths)].reverse()) {
    const own = repairable.filter(({ kind }) => kind === file.kind)
    if (own.length > 0)
      await tried(homeRelativePath(home, file.path), own, () => repairHomeFile(scope, file))
  }
  const claims = repairable.filter((one) => one.kind === 'claim-left' && one.context === null)
  if (claims.length > 0)
    await tried(homeRelativePath(home, paths.stateGate), claims, () =>
      whileStateIsFree(disk, paths, async () => undefined),
    )
  const salvages = rememberSalvages(scope)
  const contexts = new Set(repairable.flatMap(({ context }) => context ?? []))
  for (const name of contexts) {
    const own = repairable.filter(({ context }) => context === name)
    await tried(`contexts/${name}`, own, async () => {
      if (own.some(({ kind }) => kind === 'window-damaged')) await askForWindow(scope, name)
      if (own.some(({ kind }) => kind !== 'lines-damaged')) {
        const writer = await store.openWriter(name, { create: false, waitMs: 0, signal })
        await writer.close()
      }
      if (own.some(({ kind }) => kind === 'lines-damaged'))
        await salvage(scope, store, name, salvages, signal)
    })
  }
}

function whyFailed(error: unknown): string {
  if (error instanceof AppError || error instanceof DiskError) return error.message
  if (error instanceof FileMovedError) return 'It was replaced while it was read.'
  throw error
}

/** Does nothing where what is there was salvaged meanwhile. */
async function salvage(
  { disk, home }: CheckupScope,
  store: SalvageStore,
  name: string,
  salvages: () => Promise<KnownSalvages>,
  signal: AbortSignal,
): Promise<void> {
  const marks = await withContextFiles({ disk, home, name }, (found) =>
    findSalvages(disk, name, found, salvages, signal),
  )
  const all = [...marks.values()]
  if (all.every(({ isIn }) => isIn !== undefined)) return
  const salvaged = await salvageContext(
    store,
    name,
    all.map(({ mark }) => mark),
    signal,
  )
  const known = await salvages()
  for (const { mark } of all) known.set(mark, salvaged)
}

/**
 * Keeps a copy of context.jsonl and asks for a new one, under the lock, and only while it has nothing of its own. The opening that follows
 * builds it from the transcript; so does any other writer that comes first, and what it gets of its own until then is kept by that.
 */
async function askForWindow(
  { disk, home, now, heartbeatSeconds }: CheckupScope,
  name: string,
): Promise<void> {
  const paths = contextPaths(home, name)
  const lock = { disk, folder: paths.folder, now, heartbeatSeconds }
  const noticed = () => undefined
  await withContextLock({ disk, home, name, now, lock, noticed }, async () => {
    const found = await findContextFiles(disk, home, paths, 'never')
    if (found?.window === undefined) return
    if (!(await isWindowDerived(disk, paths, found)))
      throw new AppError('busy', 'context.jsonl has lines by now that the transcript lacks.')
    await keepCopy(disk, paths.window)
    await markDirty(disk, paths)
  })
}

/** Copies a damaged file to a name that is never used twice. Durable once its folder is. */
async function keepCopy(disk: Disk, file: string): Promise<void> {
  const temporary = temporaryName(file)
  await withTemporary(disk, temporary, async () => {
    await copyFile(disk, file, temporary)
    for (let n = 1; ; n++)
      try {
        return await moveToFreeName(disk, temporary, `${file}.damaged-${n}`)
      } catch (error) {
        if (!isNameTaken(error)) throw error
      }
  })
}
