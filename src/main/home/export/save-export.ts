import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { type ProtectedPlaces, protectedPlaceAround } from '../../disk/writing/protected-places'
import { writeNewPieces, writePieces } from '../../disk/writing/write-pieces'

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
  kept: ProtectedPlaces = { roots: [], files: [] },
): Promise<number> {
  return saved(disk, file, kept, () => writePieces(disk, file, pieces, 'umask'))
}

/**
 * Writes an export under a name that is free; returns its bytes.
 *
 * @throws AppError as `saveExport`, and `io` where a file came there meanwhile
 */
export async function saveNewExport(
  disk: Disk,
  file: string,
  pieces: AsyncIterable<string | Uint8Array>,
  kept: ProtectedPlaces,
): Promise<number> {
  return saved(disk, file, kept, () => writeNewPieces(disk, file, pieces, 'umask'))
}

/**
 * Writes an export like `saveNewExport`, and makes the folders around it.
 *
 * @throws AppError as `saveNewExport`
 */
export async function saveInNewFolders(
  disk: Disk,
  file: string,
  pieces: AsyncIterable<string | Uint8Array>,
  kept: ProtectedPlaces,
): Promise<number> {
  return saved(disk, file, kept, async () => {
    await makeDurableFolder(disk, path.dirname(file))
    return writeNewPieces(disk, file, pieces, 'umask')
  })
}

/**
 * Runs a writing of a file outside of what is read; failures of the disk become those of an export.
 *
 * @throws AppError as `saveExport`
 */
export async function saved<T>(
  disk: Disk,
  file: string,
  kept: ProtectedPlaces,
  write: () => Promise<T>,
): Promise<T> {
  const place = await protectedPlaceAround(disk, file, kept)
  if (place !== undefined)
    throw new AppError(
      'bad-argument',
      `The export was not written: ${file} lies in what is read and never written to: ${place}.`,
    )
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    const why = error.code === 'no-space' ? 'the disk is full' : error.message
    const code = error.code === 'no-space' ? 'disk-full' : 'io'
    throw new AppError(code, `The export was not written: ${why}. What stood there is as it was.`, {
      cause: error,
    })
  }
}
