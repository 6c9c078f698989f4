import { AppError } from '../../../shared/model/basics/errors'
import { FileMovedError } from '../lines/file-facts'

/**
 * Does the work again where another process has moved a file meanwhile (chibi's clear and compact take no lock).
 * Throws AppError `io` after three more tries.
 */
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
