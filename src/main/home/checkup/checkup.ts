import { type Checkup, type HomeFinding, sortFindings } from '../../../shared/model/checkup'
import type { Disk } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import { removeIfThere } from '../../disk/writing/atomic'
import { type SnapshotDeps, takeSnapshot } from '../../library/snapshots'
import type { Settings } from '../../settings/settings'
import { checkStore, type FailedRepair, findingOf, repairStore } from '../../store/home-checkup'
import type { Store } from '../../store/store'
import { damagedCaches } from './cache-findings'

/** The home, settings and caches of a checkup, and what a repair writes with. */
export interface CheckupDeps {
  readonly disk: Disk
  readonly store: Store
  readonly settings: Pick<Settings, 'view' | 'lockHeartbeatSeconds'>
  /** Of Skein's caches; need not be there. */
  readonly cacheFolder: string
  /** Unix milliseconds. */
  readonly now: () => number
}

/** The progress of a checkup: contexts that were looked at, and all. */
export type OnCheckupProgress = (done: number, all: number) => void

/**
 * Looks for everything that is wrong with a home: its files and contexts, its settings, Skein's caches. Changes nothing, and goes on
 * behind what cannot be read. Reads all transcripts.
 *
 * @throws AppError `not-found` there is no home, `unreadable` its folders cannot be listed; the signal's reason
 */
export async function checkHome(
  deps: CheckupDeps,
  progress: OnCheckupProgress,
  signal: AbortSignal,
): Promise<Checkup> {
  const { disk, store, cacheFolder } = deps
  const { contexts, findings } = await checkStore(await scopeOf(deps), progress, signal)
  const caches = await damagedCaches(disk, cacheFolder, signal)
  const all = [
    ...findings,
    ...(await settingsFindings(deps)),
    ...caches.map(({ finding }) => finding),
  ]
  return { home: shownPath(store.home), contexts, findings: sortFindings(all) }
}

/** A home after a repair. */
export interface HomeRepair {
  /** The snapshot that was taken before anything was changed. */
  readonly copy: string
  /** What was repaired of the findings; of damaged lines, which stay, what can be read was salvaged. */
  readonly repaired: readonly HomeFinding[]
  readonly failed: readonly FailedRepair[]
  /** What is found now. */
  readonly after: Checkup
}

/**
 * Takes a checked snapshot of a home, repairs what a checkup offers to repair, and looks again. Undefined, and no snapshot, where there
 * is nothing to repair. Without the snapshot nothing is changed.
 *
 * @param copying where the snapshot goes, and what it is made of
 * @throws AppError as `checkHome` and `takeSnapshot`; the signal's reason
 */
export async function repairHome(
  deps: CheckupDeps,
  before: Checkup,
  copying: { readonly deps: SnapshotDeps; readonly folder: string },
  progress: OnCheckupProgress,
  signal: AbortSignal,
): Promise<HomeRepair | undefined> {
  const { disk, store, cacheFolder } = deps
  if (before.findings.every(({ repair }) => repair === null)) return undefined
  const { file: copy } = await takeSnapshot(copying.deps, copying.folder, () => undefined, signal)
  const scope = await scopeOf(deps)
  const failed: FailedRepair[] = []
  let after = before
  // What is repaired can show what it hid: a window with lines of its own, and damaged ones.
  for (let round = 0; round < mostRounds; round++) {
    const due = after.findings.filter(
      ({ repair, place }) => repair !== null && !failed.some((one) => place.startsWith(one.place)),
    )
    if (due.length === 0) break
    failed.push(...(await repairStore(scope, store, due, signal)))
    const offered = new Set(due.map(({ place }) => place))
    for (const { path: file, finding } of await damagedCaches(disk, cacheFolder, signal))
      if (offered.has(finding.place)) await removeIfThere(disk, file)
    after = await checkHome(deps, progress, signal)
  }
  // Damaged lines stay where they are, when what can be read of them was salvaged.
  const isLeft = ({ kind, place }: HomeFinding) =>
    after.findings.some((one) => one.kind === kind && one.place === place && one.repair !== null)
  const offered = before.findings.filter(({ repair }) => repair !== null)
  return { copy, repaired: offered.filter((one) => !isLeft(one)), failed, after }
}

/** No repair hides another one so deeply. */
const mostRounds = 4

async function scopeOf({ disk, store, settings, now }: CheckupDeps) {
  return { disk, home: store.home, now, heartbeatSeconds: await settings.lockHeartbeatSeconds() }
}

async function settingsFindings({ settings }: CheckupDeps): Promise<readonly HomeFinding[]> {
  const { faults } = await settings.view()
  return faults.map(({ file, line, message }) =>
    findingOf({
      kind: 'settings-damaged',
      place: line === undefined ? file : `${file}:${line}`,
      happened: message,
    }),
  )
}
