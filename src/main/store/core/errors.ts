import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { DiskError } from '../../disk/interface/disk'

/** That there is no context of a name, in words. */
export function contextNotFoundError(name: string): AppError {
  return new AppError('not-found', `There is no context "${name}".`)
}

/** A failed read in words: what could not be read, and why. Errors that say more already stay as they are. */
export function toReadError(what: string, error: unknown): unknown {
  if (error instanceof DiskError)
    return new AppError('unreadable', `${what} cannot be read: ${error.message}.`, {
      detail: `${error.code}: ${error.path}`,
      cause: error,
    })
  return error
}

/** A failed write in words: what is not on the disk, and that nothing else was touched. */
export function toWriteError(what: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return error
  const file = path.basename(error.path)
  const options = { detail: `${error.code}: ${error.message}`, cause: error }
  if (error.code === 'no-space')
    return new AppError('disk-full', `${what} was not saved: the disk is full.`, options)
  if (error.code === 'denied')
    return new AppError('read-only', `${what} was not saved: ${file} may not be written.`, options)
  return new AppError('io', `${what} was not saved: ${file} could not be written.`, options)
}
