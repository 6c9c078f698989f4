import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { DiskError } from '../../disk/interface/disk'

/** Returns the AppError `not-found` for a context's name. */
export function contextNotFoundError(name: string): AppError {
  return new AppError('not-found', `There is no context "${name}".`)
}

/**
 * Converts a DiskError of a read to the AppError `unreadable`, whose message says what and why; any other error is
 * returned unchanged.
 */
export function toReadError(what: string, error: unknown): unknown {
  if (error instanceof DiskError)
    return new AppError('unreadable', `${what} cannot be read: ${error.message}.`, {
      detail: `${error.code}: ${error.path}`,
      cause: error,
    })
  return error
}

/**
 * Converts a DiskError of a write to an AppError `disk-full`, `read-only` or `io`, whose message says what was not
 * saved; any other error is returned unchanged.
 */
export function toWriteError(what: string, error: unknown): unknown {
  if (!(error instanceof DiskError)) return error
  const file = path.basename(error.path)
  const options = { detail: `${error.code}: ${error.message}`, cause: error }
  if (error.code === 'no-space')
    return new AppError('disk-full', `${what} was not saved: the disk is full.`, options)
  if (error.code === 'denied')
    return new AppError(
      'read-only',
      `${what} was not saved: there is no permission to write ${file}.`,
      options,
    )
  return new AppError('io', `${what} was not saved: ${file} could not be written.`, options)
}
