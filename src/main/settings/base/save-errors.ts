import { AppError } from '../../../shared/model/basics/errors'
import { DiskError } from '../../disk/interface/disk'

/**
 * Returns true where a failed read shows that the file is none of ours, so it can be moved aside. Any other failure
 * may pass (too many open files, a network drive), and the file may be intact.
 */
export function isForeignFileError(error: DiskError): boolean {
  return error.code === 'too-large' || error.code === 'is-directory'
}

/**
 * Turns a DiskError of a save into AppError `disk-full` or `io`; returns any other error as it is. `what` begins the
 * sentence: "The key was".
 */
export function saveError(what: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return error
  return error.code === 'no-space'
    ? new AppError('disk-full', `${what} not saved: the disk is full.`, { cause: error })
    : new AppError('io', `${what} not saved: ${error.message}.`, { cause: error })
}
