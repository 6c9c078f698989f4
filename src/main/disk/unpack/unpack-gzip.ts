import { pipeline, Readable } from 'node:stream'
import { constants, createGunzip } from 'node:zlib'
import type { DiskFile } from '../interface/disk'
import { isDiskError, type PackFormat, packedPieces } from './unpack-format'
import { measureArchive, type UnpackEnd, type UnpackOptions } from './unpack-measure'

const contentPieceBytes = 64 * 1024

/** The gzip format: one or more members, unpacked by Node, which checks lengths and CRCs. */
export const gzipFormat: PackFormat = {
  async measure(packed, packedBytes) {
    const { taken, ...measured } = await measureArchive(unpack, 'gzip', packed, packedBytes)
    return measured.fault === undefined
      ? { ...measured, ...(await faultBehind(packed, taken, packedBytes)) }
      : measured
  },
  content: (packed, packedTo) => unpack(packed, packedTo, { isPart: true }),
}

async function* unpack(
  packed: DiskFile,
  to: number,
  options: UnpackOptions = {},
): AsyncGenerator<Uint8Array, UnpackEnd> {
  const gunzip = createGunzip({
    chunkSize: contentPieceBytes,
    finishFlush: options.isPart === true ? constants.Z_SYNC_FLUSH : constants.Z_FINISH,
  })
  const source = Readable.from(packedPieces(packed, to, options.singlyFrom))
  // Failures reach the loop below through the unpacker.
  pipeline(source, gunzip, () => undefined)
  try {
    for await (const piece of gunzip) yield piece
    return { type: 'whole', taken: gunzip.bytesWritten, reason: '' }
  } catch (error) {
    if (isDiskError(error)) throw error
    const { code, message } = error as { readonly code?: unknown; readonly message: string } // zlib throws Errors alone.
    const type = code === 'Z_BUF_ERROR' ? 'early' : 'damaged'
    return { type, taken: gunzip.bytesWritten, reason: message }
  } finally {
    gunzip.destroy()
    source.destroy()
    // It may still read from the file, which may be closed next. Not events.once: that fails with the source.
    if (!source.closed) await new Promise((resolve) => source.once('close', resolve))
  }
}

/** Zeros behind the last member are padding; anything behind them is not read, and reported. */
async function faultBehind(
  packed: DiskFile,
  end: number,
  packedBytes: number,
): Promise<{ readonly fault?: string }> {
  const piece = new Uint8Array(64 * 1024)
  for (let at = end; at < packedBytes; ) {
    const got = await packed.read(piece.subarray(0, Math.min(piece.length, packedBytes - at)), at)
    if (got === 0) break
    if (piece.subarray(0, got).some((byte) => byte !== 0)) {
      const rest = `${packedBytes - end} bytes after it are not read`
      return { fault: `the archive ends at byte ${end}, and ${rest}` }
    }
    at += got
  }
  return {}
}
