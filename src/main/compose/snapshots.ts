import path from 'node:path'
import type { SnapshotDone, SnapshotStep } from '../../shared/ipc/app/snapshots'
import { AppError } from '../../shared/model/basics/errors'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import type { Snapshots } from '../ipc/handlers/conversations/snapshots'
import { restoreSnapshot, type SnapshotProgress, takeSnapshot } from '../library/snapshots'

/** Dependencies of snapshots in the window. */
export interface SnapshotsDeps {
  /** On which a packed file is what it is. */
  readonly disk: Disk
  /** The open home. */
  readonly home: () => string
  readonly userFolder: string
  /** In Unix milliseconds. */
  readonly now: () => number
  /** Asks a person for a folder: for a snapshot, or for what is made of one. */
  readonly askForFolder: (act: 'take' | 'restore') => Promise<string | undefined>
  /** Asks a person for a snapshot. */
  readonly askForSnapshot: () => Promise<string | undefined>
}

/** Makes what takes and restores snapshots, one at a time, at places that a person picks in the system's dialogs. */
export function openSnapshots(deps: SnapshotsDeps): Snapshots {
  const { disk } = deps
  let running: AbortController | undefined

  async function alone<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    if (running !== undefined)
      throw new AppError('busy', 'A snapshot is being written or restored already.')
    const stop = new AbortController()
    running = stop
    try {
      return await work(stop.signal)
    } catch (error) {
      if (!stop.signal.aborted) throw error
      throw new AppError('cancelled', 'It was stopped.', { cause: error })
    } finally {
      running = undefined
    }
  }

  const stepsOf =
    (act: SnapshotStep['act'], progress: (step: SnapshotStep) => void) => (now: SnapshotProgress) =>
      progress({ act, ...now })

  return {
    take: (progress) =>
      alone(async (signal): Promise<SnapshotDone | undefined> => {
        const folder = await deps.askForFolder('take')
        if (folder === undefined) return undefined
        const of = { disk, home: deps.home(), userFolder: deps.userFolder, now: deps.now }
        const taken = await takeSnapshot(of, folder, stepsOf('take', progress), signal)
        const { file, files, bytes, leftOut } = taken
        return { act: 'take', files, bytes, shown: shownPath(file), leftOut: [...leftOut] }
      }),
    restore: (progress) =>
      alone(async (signal): Promise<SnapshotDone | undefined> => {
        const snapshot = await deps.askForSnapshot()
        const around = snapshot === undefined ? undefined : await deps.askForFolder('restore')
        if (snapshot === undefined || around === undefined) return undefined
        const folder = path.join(around, `${path.parse(snapshot).name}-restored`)
        const steps = stepsOf('restore', progress)
        const restored = await restoreSnapshot(disk, snapshot, folder, steps, signal)
        return {
          act: 'restore',
          ...restored,
          shown: shownPath(path.join(folder, 'home')),
          leftOut: [],
        }
      }),
    stop: () => running?.abort(),
  }
}
