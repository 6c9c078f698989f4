import { AppError } from '../../../shared/model/basics/errors'
import { FileMovedError } from '../lines/file-facts'

/** Tries again where a process without our lock (chibi's clear and compact take none) has moved a file under us. */
export async function retryWhileMoved<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof FileMovedError)) throw error
      if (tries >= 3) throw new AppError('io', error.message, { cause: error })
    }
  }
}

/** Returns true for an AppError `lock-lost`: another process has the lock by now. */
export function isLockLost(error: unknown): boolean {
  return error instanceof AppError && error.code === 'lock-lost'
}
