import type { CheckupRepair, CheckupStep } from '../../../../shared/ipc/app/checkup'
import type { Contract } from '../../../../shared/ipc/contract'
import type { Emitters, Handlers } from '../../../../shared/ipc/wire/primitives'
import type { Checkup } from '../../../../shared/model/checkup'
import { throttled } from '../../limits/throttle'

/** Checkups of the open home. */
export interface Checkups {
  /** @throws AppError as `checkupContract.check` */
  check(progress: (step: CheckupStep) => void): Promise<Checkup>
  /** Resolves to undefined where nobody named a folder, or nothing can be repaired. @throws AppError as `checkupContract.repair` */
  repair(progress: (step: CheckupStep) => void): Promise<CheckupRepair | undefined>
  /** Ends what is going on, and resolves once it has ended. */
  stop(): Promise<void>
}

/** Serves the calls of `checkupContract`. */
export function checkupHandlers(
  checkups: Checkups,
  tell: Pick<Emitters<Contract['checkup']>, 'progress'>,
): Handlers<Contract['checkup']> {
  async function telling<T>(
    work: (tellStep: (step: CheckupStep) => void) => Promise<T>,
  ): Promise<T> {
    const progress = throttled(tell.progress)
    try {
      return await work(progress.ask)
    } finally {
      progress.stop()
    }
  }
  return {
    check: () => telling((step) => checkups.check(step)),
    repair: async () => (await telling((step) => checkups.repair(step))) ?? null,
    stop: () => checkups.stop(),
  }
}
