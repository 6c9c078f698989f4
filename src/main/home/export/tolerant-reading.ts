import { AppError } from '../../../shared/model/basics/errors'
import { changeReading, type Reading } from '../../../shared/model/conversation/reading'
import { DiskError } from '../../disk/interface/disk'

/** Makes a reading whose disk errors are AppErrors `unreadable`, with the same words. */
export function readingInWords<T>(reading: Reading<T>): Reading<T> {
  return changeReading(reading, inWords)
}

async function* inWords<T>(all: AsyncIterable<T>): AsyncGenerator<T> {
  try {
    yield* all
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    throw new AppError('unreadable', error.message, { cause: error })
  }
}

/** Returns true where something could not be read or written, and it is no fault of ours. */
export function isUnreadable(error: unknown): error is AppError | DiskError {
  return error instanceof AppError || error instanceof DiskError
}
