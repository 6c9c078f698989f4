import { AppError } from '../../shared/model/errors'
import { moveToFree } from '../disk/atomic'
import { type Disk, DiskError } from '../disk/disk'
import { isNotFound, isTaken } from '../disk/read'

/** Moves a file that cannot be read beside its place, under a name that is free. Nothing is written over; an absent file is no matter. */
export async function keepAside(disk: Disk, file: string): Promise<void> {
  for (let n = 1; ; n++)
    try {
      return await moveToFree(disk, file, `${file}.damaged-${n}`)
    } catch (error) {
      if (isNotFound(error)) return
      if (!isTaken(error)) throw error
    }
}

/**
 * Whether a failed read says that what is there is none of our files, which can be moved aside. Anything else may be over
 * in a moment (too many open files, a network drive), and what could not be read then is as good as ever.
 */
export function isNoneOfOurs(error: DiskError): boolean {
  return error.code === 'too-large' || error.code === 'is-directory'
}

/** Says a failed save in words. */
export function notSaved(what: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return error
  return error.code === 'no-space'
    ? new AppError('disk-full', `${what} not saved: the disk is full.`, { cause: error })
    : new AppError('io', `${what} not saved: ${error.message}.`, { cause: error })
}
