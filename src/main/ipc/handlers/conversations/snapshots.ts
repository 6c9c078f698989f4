import type { SnapshotDone, SnapshotStep } from '../../../../shared/ipc/app/snapshots'
import type { Contract } from '../../../../shared/ipc/contract'
import type { Emitters, Handlers } from '../../../../shared/ipc/wire/primitives'
import { throttled } from '../../limits/throttle'

/** Snapshots of the open home. */
export interface Snapshots {
  /** Resolves to undefined where nobody named a folder. @throws AppError as `snapshotsContract.take` */
  take(
    progress: (step: SnapshotStep) => void,
    passphrase?: string,
  ): Promise<SnapshotDone | undefined>
  /** Resolves to undefined where nobody named a snapshot, or a folder. @throws AppError as `snapshotsContract.restore` */
  restore(
    progress: (step: SnapshotStep) => void,
    passphrase?: string,
  ): Promise<SnapshotDone | undefined>
  /** Ends what is going on, and resolves once what was half written is cleared away. */
  stop(): Promise<void>
}

/** Serves the calls of `snapshotsContract`. */
export function snapshotsHandlers(
  snapshots: Snapshots,
  tell: Pick<Emitters<Contract['snapshots']>, 'progress' | 'ended'>,
): Handlers<Contract['snapshots']> {
  const doing = async (act: 'take' | 'restore', passphrase: string | undefined) => {
    const progress = throttled(tell.progress)
    let done: SnapshotDone | null = null
    try {
      done = (await snapshots[act](progress.ask, passphrase)) ?? null
      return done
    } finally {
      progress.stop()
      tell.ended({ done })
    }
  }
  return {
    take: ({ passphrase }) => doing('take', passphrase),
    restore: ({ passphrase }) => doing('restore', passphrase),
    stop: () => snapshots.stop(),
  }
}
