import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { liesInFolder, realPathIfPresent, realPathOrNone } from '../../disk/reading/real-path'
import { type ProtectedPlaces, protectedPlaceAround } from '../../disk/writing/protected-places'

/** Places in which neither a snapshot nor a restored folder is made. */
export interface PlacesInUse {
  /** Homes, and the folder of Skein's own files: what lies in one would be in the next snapshot. */
  readonly folders: readonly string[]
  /** Histories that are read and never written to. */
  readonly roots: ProtectedPlaces['roots']
}

/**
 * Checks that what is to be made lies outside of all places in use. Links are followed on both sides.
 *
 * @throws AppError `not-found` there is no folder for it, `bad-argument` it lies in one of them; DiskError
 */
export async function requireOutside(
  disk: Disk,
  target: string,
  { folders, roots }: PlacesInUse,
): Promise<void> {
  const folder = path.dirname(target)
  const real = await realPathIfPresent(disk, folder)
  if (real === undefined || (await disk.stat(real))?.kind !== 'directory')
    throw new AppError('not-found', `There is no folder at ${folder}.`)
  const refusal = (place: string) =>
    new AppError(
      'bad-argument',
      `${target} would lie in ${place}, which Skein keeps or reads. Name a folder elsewhere.`,
    )
  for (const place of folders) {
    const around = await realPathOrNone(disk, place)
    if (around !== undefined && liesInFolder(around, real)) throw refusal(place)
  }
  const place = await protectedPlaceAround(disk, target, { roots, files: [] })
  if (place !== undefined) throw refusal(place)
}
