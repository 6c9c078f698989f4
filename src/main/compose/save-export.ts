import { AppError } from '../../shared/model/errors'
import { type Disk, DiskError } from '../disk/disk'
import { writePieces } from '../disk/write-pieces'

/** Writes an export whole or not at all; returns its bytes. @throws AppError `disk-full`, `io` */
export async function saveExport(
  disk: Disk,
  file: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<number> {
  try {
    return await writePieces(disk, file, pieces)
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    const why = error.code === 'no-space' ? 'the disk is full' : error.message
    const code = error.code === 'no-space' ? 'disk-full' : 'io'
    throw new AppError(code, `The export was not written: ${why}. What stood there is as it was.`, {
      cause: error,
    })
  }
}
