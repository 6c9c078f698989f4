import path from 'node:path'
import { countWithNoun, plural } from '../../../shared/model/basics/plural'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { namesInFolder } from '../../disk/reading/read'
import { isPlaceFile, placeName } from './backup-places'
import { readBackupSeals, sealsName } from './seals'

/** A fault in the files by which a backup is known. Sentences are for people. */
export interface BackupFault {
  /** Absolute. */
  readonly file: string
  readonly kind: 'unreadable' | 'damaged'
  readonly happened: string
  readonly lost: string
  readonly byItself: string
}

/**
 * Finds what is wrong with the files that say which root each backup is of, and what its copies were; the copies themselves are compared by
 * `checkBackup`. Nothing where there are no backups.
 *
 * @throws the signal's reason
 */
export async function findBackupFaults(
  disk: Disk,
  archive: string,
  signal: AbortSignal,
): Promise<readonly BackupFault[]> {
  const faults: BackupFault[] = []
  const tried = async (file: string, look: () => Promise<BackupFault | undefined>) => {
    signal.throwIfAborted()
    try {
      const fault = await look()
      if (fault !== undefined) faults.push(fault)
    } catch (error) {
      if (!(error instanceof DiskError)) throw error
      faults.push({
        file,
        kind: 'unreadable',
        happened: `It cannot be read: ${error.message}.`,
        lost: 'Nothing yet: its content is unknown until the disk gives it.',
        byItself: 'Says that it cannot be read, and goes on without this backup.',
      })
    }
  }
  const names = await namesInFolder(disk, archive).catch(() => [])
  for (const name of [...names].sort()) {
    const folder = path.join(archive, name)
    const place = path.join(folder, placeName)
    await tried(place, async () =>
      (await isPlaceFile(disk, place)) === false
        ? {
            file: place,
            kind: 'damaged',
            happened: 'The file that says which folder this backup is of is damaged.',
            lost: 'Nothing of its copies: they lie beside it.',
            byItself: 'Does not list the copies of this backup.',
          }
        : undefined,
    )
    const seals = path.join(folder, sealsName)
    await tried(seals, async () => {
      const { damaged } = await readBackupSeals(disk, folder)
      if (damaged === 0) return undefined
      return {
        file: seals,
        kind: 'damaged',
        happened: `${countWithNoun(damaged, 'line')} of the seals of a backup ${plural(damaged, 'is no seal', 'are no seals')}.`,
        lost: 'The proof that some copies are unchanged; no byte of theirs.',
        byItself:
          'Compares these copies with their originals at the next backup, and seals them anew.',
      }
    })
  }
  return faults
}
