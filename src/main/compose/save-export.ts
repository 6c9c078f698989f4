import { AppError } from '../../shared/model/errors'
import { type Disk, DiskError } from '../disk/disk'
import { type KeptPlaces, keptPlaceAround } from '../disk/kept-places'
import { writePieces } from '../disk/write-pieces'

/**
 * Writes an export whole or not at all; returns its bytes.
 *
 * @param kept what is read and never written to
 * @throws AppError `bad-argument` inside of that, `disk-full`, `io`
 */
export async function saveExport(
  disk: Disk,
  file: string,
  pieces: AsyncIterable<string | Uint8Array>,
  kept: KeptPlaces = { roots: [], files: [] },
): Promise<number> {
  const place = await keptPlaceAround(disk, file, kept)
  if (place !== undefined)
    throw new AppError(
      'bad-argument',
      `The export was not written: ${file} lies in what is read and never written to: ${place}.`,
    )
  try {
    return await writePieces(disk, file, pieces, 'umask')
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    const why = error.code === 'no-space' ? 'the disk is full' : error.message
    const code = error.code === 'no-space' ? 'disk-full' : 'io'
    throw new AppError(code, `The export was not written: ${why}. What stood there is as it was.`, {
      cause: error,
    })
  }
}
