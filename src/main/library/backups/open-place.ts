import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { whenExclusive } from '../../disk/process/exclusive'
import { readBackupSeals, type SealBook, type SealWriter, sealWriter, tidySeals } from './seals'

/** A backup while this process alone writes to it. */
export interface OpenPlace {
  readonly disk: Disk
  /** The place's own. */
  readonly folder: string
  readonly book: SealBook
  readonly seals: SealWriter
  readonly signal: AbortSignal
}

const claimName = '.writing'
/** Another process is at it as long as there are new files: whoever comes meanwhile need not wait for all of them. */
const waitMs = 1000

/**
 * Does some work while this process alone writes to a backup; what was sealed by then is durable at its end, also where the work
 * fails.
 *
 * @throws AppError `busy` another process writes there; DiskError
 */
export async function inOpenPlace<T>(
  disk: Disk,
  folder: string,
  signal: AbortSignal,
  work: (place: OpenPlace) => Promise<T>,
): Promise<T> {
  const done = await whenExclusive(disk, path.join(folder, claimName), waitMs, async () => {
    const book = await readBackupSeals(disk, folder)
    const seals = sealWriter(disk, folder, book)
    let isDone = false
    try {
      const value = await work({ disk, folder, book, seals, signal })
      isDone = true
      return value
    } finally {
      await seals.flush()
      await tidySeals(disk, folder, book, isDone)
    }
  })
  if (done === undefined)
    throw new AppError('busy', 'Another Skein is at this backup; what it copies is there soon.')
  return done.value
}
