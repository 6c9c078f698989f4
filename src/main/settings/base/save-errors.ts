import { AppError } from '../../../shared/model/basics/errors'
import { DiskError } from '../../disk/interface/disk'

/**
 * Whether a failed read says that what is there is none of our files, which can be moved aside. Anything else may be over
 * in a moment (too many open files, a network drive), and what could not be read then is as good as ever.
 */
export function isForeignFileError(error: DiskError): boolean {
  return error.code === 'too-large' || error.code === 'is-directory'
}

/** Says a failed save in words. */
export function saveError(what: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return error
  return error.code === 'no-space'
    ? new AppError('disk-full', `${what} not saved: the disk is full.`, { cause: error })
    : new AppError('io', `${what} not saved: ${error.message}.`, { cause: error })
}
