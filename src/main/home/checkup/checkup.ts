import { type Checkup, type HomeFinding, sortFindings } from '../../../shared/model/checkup'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { shownPath } from '../../disk/interface/shown-path'
import { type SnapshotDeps, takeSnapshot } from '../../library/snapshots'
import type { Settings } from '../../settings/settings'
import {
  checkStore,
  type FailedRepair,
  findingOf,
  type OnRepair,
  repairStore,
} from '../../store/home-checkup'
import type { Store } from '../../store/store'
import { damagedCaches } from './cache-findings'
import type { OwnFinding } from './own-finding'
import { ownFindings } from './own-findings'

/** The home, settings and caches of a checkup, and what a repair writes with. */
export interface CheckupDeps {
  readonly disk: Disk
  readonly store: Store
  readonly settings: Pick<Settings, 'view' | 'lockHeartbeatSeconds'>
  /** Of Skein's caches; need not be there. */
  readonly cacheFolder: string
  /** Of the files that Skein keeps for its user; need not be there. */
  readonly userFolder: string
  /** Unix milliseconds. */
  readonly now: () => number
}

/** The progress of a checkup: contexts that were looked at, and all. */
export type OnCheckupProgress = (done: number, all: number) => void

/**
 * Looks for everything that is wrong with a home: its files and contexts, its settings, Skein's caches and its files for its user. Changes nothing, and goes on
 * behind what cannot be read. Reads all transcripts.
 *
 * @throws AppError `not-found` there is no home, `unreadable` its folders cannot be listed; the signal's reason
 */
export async function checkHome(
  deps: CheckupDeps,
  progress: OnCheckupProgress,
  signal: AbortSignal,
): Promise<Checkup> {
  return (await lookThrough(deps, progress, signal)).checkup
}

/** A look through a home, with what it looked at. */
interface HomeLook {
  readonly checkup: Checkup
  /** Whether the place of a finding was looked at: false where it cannot be read, or another program has it. */
  readonly isSeen: (finding: HomeFinding) => boolean
}

async function lookThrough(
  deps: CheckupDeps,
  progress: OnCheckupProgress,
  signal: AbortSignal,
): Promise<HomeLook> {
  const { store } = deps
  const { contexts, findings, looked } = await checkStore(await scopeOf(deps), progress, signal)
  const outside = await outsideFindings(deps, signal)
  const all = [
    ...findings,
    ...(await settingsFindings(deps)),
    ...outside.map(({ finding }) => finding),
  ]
  const isUnread = (place: string) =>
    all.some((one) => one.kind === 'unreadable' && isAtOrUnder(place, one.place))
  const isStateUnread = all.some(
    ({ kind, place }) => place === 'state.json' && kind !== 'reading-odd',
  )
  return {
    checkup: { home: shownPath(store.home), contexts, findings: sortFindings(all) },
    isSeen: ({ kind, place, context }) =>
      (context === null || looked.has(context)) &&
      !isUnread(place) &&
      !(kind === 'context-unlisted' && isStateUnread),
  }
}

/** @param folder of a finding or a failed repair; a file too */
function isAtOrUnder(place: string, folder: string): boolean {
  return place === folder || place.startsWith(`${folder}/`)
}

/** A home after a repair. */
export interface HomeRepair {
  /** The snapshot that was taken before anything was changed. */
  readonly copy: string
  /** What was repaired of the findings, and looked at since; of damaged lines, which stay, what can be read was salvaged. */
  readonly repaired: readonly HomeFinding[]
  /** Also what was repaired and could not be looked at again. */
  readonly failed: readonly FailedRepair[]
  /** Why it ended before all was done, in a sentence; null where it did not. */
  readonly stopped: string | null
  /** What the last look found. */
  readonly after: Checkup
}

/**
 * Takes a checked snapshot of a home, repairs what a checkup offers to repair, and looks again. Undefined, and no snapshot, where there
 * is nothing to repair. Without the snapshot nothing is changed. Once it is there an error or the signal ends the repair, and it resolves to
 * what was done until then.
 *
 * @param copying where the snapshot goes, and what it is made of
 * @throws AppError as `takeSnapshot`; the signal's reason before there is a snapshot
 */
export async function repairHome(
  deps: CheckupDeps,
  before: Checkup,
  copying: { readonly deps: SnapshotDeps; readonly folder: string },
  progress: OnCheckupProgress,
  signal: AbortSignal,
): Promise<HomeRepair | undefined> {
  if (before.findings.every(({ repair }) => repair === null)) return undefined
  const { file: copy } = await takeSnapshot(copying.deps, copying.folder, () => undefined, signal)
  const failed: FailedRepair[] = []
  const hasFailed = (place: string) => failed.some((one) => isAtOrUnder(place, one.place))
  let look: HomeLook = { checkup: before, isSeen: () => false }
  let made: readonly HomeFinding[] = []
  let stopped: string | null = null
  const on: OnRepair = {
    failed: (one) => void failed.push(one),
    made: (those) => {
      made = [...made, ...those]
    },
  }
  try {
    // What is repaired can show what it hid: a window with lines of its own, and damaged ones.
    for (let round = 0; round < mostRounds; round++) {
      const due = look.checkup.findings.filter(
        (one) => one.repair !== null && !hasFailed(one.place),
      )
      if (due.length === 0) break
      await repairStore(await scopeOf(deps), deps.store, due, on, signal)
      await repairOutside(deps, due, on, signal)
      look = await lookThrough(deps, progress, signal)
      made = []
      for (const { kind, place, happened } of due)
        if (
          !hasFailed(place) &&
          isOffered(
            look,
            (one) => one.kind === kind && one.place === place && one.happened === happened,
          )
        )
          failed.push({ place, why: 'It is as it was after its repair.' })
    }
  } catch (error) {
    stopped = signal.aborted
      ? 'It was stopped.'
      : error instanceof Error
        ? error.message
        : String(error)
  }
  // Damaged lines stay where they are, when what can be read of them was salvaged.
  const settled = before.findings.filter(
    ({ kind, place, repair }) =>
      repair !== null &&
      !hasFailed(place) &&
      !isOffered(look, (one) => one.kind === kind && one.place === place),
  )
  const unseen = [...settled.filter((one) => !look.isSeen(one)), ...made]
  const places = new Set(unseen.map(({ place }) => place))
  const why = 'Its repair was made, and could not be looked at since.'
  return {
    copy,
    repaired: settled.filter((one) => look.isSeen(one) && !places.has(one.place)),
    failed: [...failed, ...[...places].map((place) => ({ place, why }))],
    stopped,
    after: look.checkup,
  }
}

function isOffered({ checkup }: HomeLook, isSame: (finding: HomeFinding) => boolean): boolean {
  return checkup.findings.some((one) => one.repair !== null && isSame(one))
}

/** Of Skein's own files outside of the home. */
async function outsideFindings(
  { disk, cacheFolder, userFolder }: CheckupDeps,
  signal: AbortSignal,
): Promise<readonly OwnFinding[]> {
  return [
    ...(await damagedCaches(disk, cacheFolder, signal)),
    ...(await ownFindings(disk, userFolder, signal)),
  ]
}

async function repairOutside(
  deps: CheckupDeps,
  due: readonly HomeFinding[],
  on: OnRepair,
  signal: AbortSignal,
): Promise<void> {
  const idOf = ({ kind, place }: HomeFinding) => `${kind} ${place}`
  const offered = new Set(due.map(idOf))
  for (const { finding, mend } of await outsideFindings(deps, signal)) {
    if (mend === undefined || !offered.has(idOf(finding))) continue
    signal.throwIfAborted()
    try {
      await mend()
      on.made([finding])
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      on.failed({ place: finding.place, why: error.message })
    }
  }
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
