import path from 'node:path'
import type { SnapshotDone, SnapshotStep } from '../../shared/ipc/app/snapshots'
import { AppError } from '../../shared/model/basics/errors'
import type { Disk } from '../disk/interface/disk'
import { shownPath } from '../disk/interface/shown-path'
import type { Snapshots } from '../ipc/handlers/conversations/snapshots'
import {
  isEncryptedSnapshot,
  type PlacesInUse,
  type SnapshotActs,
  type SnapshotProgress,
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
  readonly acts: SnapshotActs
  /** Asks a person for a folder: for a snapshot, one that is encrypted, or for what is made of one. */
  readonly askForFolder: (act: 'take' | 'encrypt' | 'restore') => Promise<string | undefined>
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

  /** As another thread gets them. */
  const plainRoots = () => deps.roots().map(({ source, path: place }) => ({ source, path: place }))

  const stepsOf =
    (act: SnapshotStep['act'], progress: (step: SnapshotStep) => void) => (now: SnapshotProgress) =>
      progress({ act, ...now })

  /** Places that a person picked for a snapshot that was not opened for want of its passphrase. */
  let locked: { readonly snapshot: string; readonly around?: string } | undefined

  /** Asks for what is not picked yet. @throws AppError `passphrase`, before a folder is asked for */
  async function pickToRestore(passphrase: string | undefined) {
    const picked = passphrase === undefined ? undefined : locked
    locked = undefined
    const snapshot = picked?.snapshot ?? (await deps.askForSnapshot())
    if (snapshot === undefined) return undefined
    // What cannot be looked at now says why when it is restored.
    const isEncrypted = await isEncryptedSnapshot(disk, snapshot).catch(() => false)
    if (passphrase === undefined && isEncrypted) {
      locked = { snapshot }
      throw new AppError(
        'passphrase',
        `${path.basename(snapshot)} is encrypted. It needs its passphrase.`,
      )
    }
    const around = picked?.around ?? (await deps.askForFolder('restore'))
    return around === undefined ? undefined : { snapshot, around }
  }

  return {
    take: (progress, passphrase) =>
      alone(
        () => deps.askForFolder(passphrase === undefined ? 'take' : 'encrypt'),
        async (folder, signal) => {
          const of = { home: deps.home(), userFolder: deps.userFolder, roots: plainRoots() }
          const taken = await deps.acts.take(
            { act: 'take', ...of, folder, passphrase },
            stepsOf('take', progress),
            signal,
          )
          const { file, files, bytes, leftOut } = taken
          return { act: 'take', files, bytes, shown: shownPath(file), leftOut: [...leftOut] }
        },
      ),
    restore: (progress, passphrase) =>
      alone(
        () => pickToRestore(passphrase),
        async ({ snapshot, around }, signal) => {
          const name = path.basename(snapshot).replace(/(\.zip)?(\.age)?$/, '')
          const folder = path.join(around, `${name}-restored`)
          const home = deps.home()
          const roots = [{ source: 'chibi', path: home }, ...plainRoots()]
          const inUse = { folders: [home, deps.userFolder], roots }
          try {
            const restored = await deps.acts.restore(
              { act: 'restore', snapshot, folder, inUse, passphrase },
              stepsOf('restore', progress),
              signal,
            )
            const shown = shownPath(path.join(folder, 'home'))
            return { act: 'restore', ...restored, shown, leftOut: [] }
          } catch (error) {
            if (error instanceof AppError && error.code === 'passphrase')
              locked = { snapshot, around }
            throw error
          }
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
