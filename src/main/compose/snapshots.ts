import path from 'node:path'
import type { SnapshotDone, SnapshotStep } from '../../shared/ipc/app/snapshots'
import { AppError } from '../../shared/model/basics/errors'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import type { Snapshots } from '../ipc/handlers/conversations/snapshots'
import {
  type PlacesInUse,
  restoreSnapshot,
  type SnapshotProgress,
  takeSnapshot,
} from '../library/snapshots'

/** Dependencies of snapshots in the window. */
export interface SnapshotsDeps {
  /** On which a packed file is what it is. */
  readonly disk: Disk
  /** The open home. */
  readonly home: () => string
  readonly userFolder: string
  /** Histories of other systems that are read now. */
  readonly roots: () => PlacesInUse['roots']
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
  let running: { readonly stop: AbortController; ended: Promise<void> } | undefined

  async function alone<P>(
    ask: () => Promise<P | undefined>,
    work: (picked: P, signal: AbortSignal) => Promise<SnapshotDone>,
  ): Promise<SnapshotDone | undefined> {
    if (running !== undefined)
      throw new AppError('busy', 'A snapshot is being written or restored already.')
    const stop = new AbortController()
    const own = { stop, ended: Promise.resolve() }
    running = own
    try {
      const picked = await ask()
      stop.signal.throwIfAborted()
      if (picked === undefined) return undefined
      const done = work(picked, stop.signal)
      own.ended = done.then(
        () => undefined,
        () => undefined,
      )
      return await done
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
      alone(
        () => deps.askForFolder('take'),
        async (folder, signal) => {
          const { userFolder, now } = deps
          const of = { disk, home: deps.home(), userFolder, roots: deps.roots(), now }
          const taken = await takeSnapshot(of, folder, stepsOf('take', progress), signal)
          const { file, files, bytes, leftOut } = taken
          return { act: 'take', files, bytes, shown: shownPath(file), leftOut: [...leftOut] }
        },
      ),
    restore: (progress) =>
      alone(
        async () => {
          const snapshot = await deps.askForSnapshot()
          const around = snapshot === undefined ? undefined : await deps.askForFolder('restore')
          return snapshot === undefined || around === undefined ? undefined : { snapshot, around }
        },
        async ({ snapshot, around }, signal) => {
          const folder = path.join(around, `${path.parse(snapshot).name}-restored`)
          const home = deps.home()
          const roots = [{ source: 'chibi', path: home }, ...deps.roots()]
          const inUse = { folders: [home, deps.userFolder], roots }
          const steps = stepsOf('restore', progress)
          const restored = await restoreSnapshot(disk, snapshot, folder, inUse, steps, signal)
          const shown = shownPath(path.join(folder, 'home'))
          return { act: 'restore', ...restored, shown, leftOut: [] }
        },
      ),
    async stop() {
      const now = running
      now?.stop.abort()
      // Not for a dialog, which may stay open: nothing is written before it is answered.
      await now?.ended
    },
  }
}
