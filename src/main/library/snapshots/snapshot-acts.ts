import { Worker } from 'node:worker_threads'
import { AppError, type ErrorReport } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import type { SnapshotCheck } from './check-snapshot'
import type { PlacesInUse } from './places-outside'
import { restoreSnapshot } from './restore-snapshot'
import type { SnapshotProgress } from './snapshot-form'
import { type SnapshotDeps, type TakenSnapshot, takeSnapshot } from './take-snapshot'

/** A snapshot to take. */
export interface SnapshotToTake extends Pick<SnapshotDeps, 'home' | 'userFolder' | 'roots'> {
  readonly act: 'take'
  readonly folder: string
  readonly passphrase?: string | undefined
}

/** A snapshot to restore. */
export interface SnapshotToRestore {
  readonly act: 'restore'
  readonly snapshot: string
  /** The new folder. */
  readonly folder: string
  readonly inUse: PlacesInUse
  readonly passphrase?: string | undefined
}

/** Takes and restores snapshots, as `takeSnapshot` and `restoreSnapshot` do. */
export interface SnapshotActs {
  take(
    wanted: SnapshotToTake,
    progress: (now: SnapshotProgress) => void,
    signal: AbortSignal,
  ): Promise<TakenSnapshot>
  restore(
    wanted: SnapshotToRestore,
    progress: (now: SnapshotProgress) => void,
    signal: AbortSignal,
  ): Promise<SnapshotCheck>
}

/**
 * Does them in the caller's thread.
 *
 * @param workFactor of new passphrases: for tests, as `openAgeWriter` has it
 */
export function inlineSnapshots(disk: Disk, now: () => number, workFactor?: number): SnapshotActs {
  return {
    take({ home, userFolder, roots, folder, passphrase }, progress, signal) {
      const encryption =
        passphrase === undefined
          ? undefined
          : { passphrase, ...(workFactor === undefined ? {} : { workFactor }) }
      const deps = { disk, home, userFolder, roots, now }
      return takeSnapshot(deps, folder, progress, signal, encryption)
    },
    restore: ({ snapshot, folder, inUse, passphrase }, progress, signal) =>
      restoreSnapshot(disk, snapshot, folder, inUse, progress, signal, passphrase),
  }
}

/** A message of the thread. */
export type SnapshotMessage =
  | { readonly type: 'progress'; readonly now: SnapshotProgress }
  | { readonly type: 'done'; readonly value: TakenSnapshot | SnapshotCheck }
  | { readonly type: 'failed'; readonly report: ErrorReport | string }

/**
 * Does them in a thread for each, which ends with it: packing takes its time, and the key of a passphrase a second and 256 MB.
 *
 * @param workerPath the built `snapshot.worker`
 */
export function threadSnapshots(workerPath: string): SnapshotActs {
  const run = <T extends TakenSnapshot | SnapshotCheck>(
    wanted: SnapshotToTake | SnapshotToRestore,
    progress: (now: SnapshotProgress) => void,
    signal: AbortSignal,
  ) =>
    new Promise<T>((resolve, reject) => {
      signal.throwIfAborted()
      const worker = new Worker(workerPath, { workerData: wanted })
      const stop = () => worker.postMessage('stop')
      signal.addEventListener('abort', stop, { once: true })
      let settle = () => reject(new Error('the thread of the snapshot ended'))
      worker.on('message', (message: SnapshotMessage) => {
        if (message.type === 'progress') progress(message.now)
        // Each act gets its own answer.
        else if (message.type === 'done') settle = () => resolve(message.value as T)
        else settle = () => reject(signal.aborted ? signal.reason : errorOf(message.report))
      })
      worker.on('error', (error) => {
        settle = () => reject(error)
      })
      worker.on('exit', () => {
        signal.removeEventListener('abort', stop)
        settle()
      })
    })
  return { take: run, restore: run }
}

function errorOf(report: ErrorReport | string): Error {
  if (typeof report === 'string') return new Error(report)
  const { code, message, detail } = report
  return new AppError(code, message, detail === undefined ? {} : { detail })
}
