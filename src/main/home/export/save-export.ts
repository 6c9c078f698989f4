import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type Disk, DiskError } from '../../disk/interface/disk'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { type ProtectedPlaces, protectedPlaceAround } from '../../disk/writing/protected-places'
import { NotDurableError, writeNewPieces, writePieces } from '../../disk/writing/write-pieces'

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
  return saved(disk, file, kept, (check) => writePieces(disk, file, pieces, 'umask', check))
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
 * @param write gets what it calls with the place, links followed, before it replaces what is there: that may be another by then
 * @throws AppError as `saveExport`
 */
export async function saved<T>(
  disk: Disk,
  file: string,
  kept: ProtectedPlaces,
  write: (check: (place: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const check = async (target: string) => {
    const place = await protectedPlaceAround(disk, target, kept)
    if (place !== undefined)
      throw new AppError(
        'bad-argument',
        `The export was not written: ${file} lies in what is read and never written to: ${place}.`,
      )
  }
  try {
    await check(file)
    return await write(check)
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    const why = error.code === 'no-space' ? 'the disk is full' : error.message
    const code = error.code === 'no-space' ? 'disk-full' : 'io'
    if (error instanceof NotDurableError)
      throw new AppError(
        code,
        `The export is in ${file}, whole; whether it outlasts a power failure is not known: ${why}.`,
        { cause: error },
      )
    const folder = path.dirname(file)
    // The disk names the file that was to be filled, whose name nobody knows.
    const hasNoFolder = error.code === 'not-found' && (await isMissing(disk, folder))
    if (hasNoFolder)
      throw new AppError('io', `The export was not written: there is no folder at ${folder}.`, {
        cause: error,
      })
    throw new AppError(code, `The export was not written: ${why}. What stood there is as it was.`, {
      cause: error,
    })
  }
}

async function isMissing(disk: Disk, folder: string): Promise<boolean> {
  try {
    return (await disk.stat(folder)) === undefined
  } catch {
    return false
  }
}
