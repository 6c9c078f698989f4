import { DiskError, type DiskFile } from '../interface/disk'

/** The measure of an archive after one reading of it: the size of its content and, where it is not complete, why. */
export interface MeasuredArchive {
  /** Of the content that can be read. */
  readonly sizeBytes: number
  /** The packed bytes that give this content: more of them would give nothing, or a failure. */
  readonly packedTo: number
  /** Why the content is not complete, as the beginning of a sentence; undefined where it is. */
  readonly fault?: string
}

/** A way of packing a file. Both methods take the packed file and how many of its bytes count. */
export interface PackFormat {
  /** Reads the archive once, from end to end. @throws DiskError where the packed file cannot be read */
  measure(packed: DiskFile, packedBytes: number): Promise<MeasuredArchive>
  /**
   * The content in order, in pieces of some 100 KB at most. Ends without an error where it cannot go on; frees what it
   * holds when it is ended early. @throws DiskError where the packed file cannot be read
   */
  content(packed: DiskFile, packedTo: number): AsyncGenerator<Uint8Array, unknown>
  /** Why the content ends before the size that was measured, or is not what was packed; once that was met. */
  readonly fault?: string | undefined
}

/** The most content that is read of an archive: one of a few kilobytes can claim to hold terabytes. */
export const largestContentBytes = 16 * 1024 ** 3

/** Small: 1 MB of packed zeros is 1 GB, and each piece is unpacked in one go or two. */
const packedPieceBytes = 16 * 1024

/**
 * Reads the packed bytes from the start, each piece in memory of its own; from `singlyFrom` on one byte at a time.
 */
export async function* packedPieces(
  packed: Pick<DiskFile, 'read'>,
  to: number,
  singlyFrom: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array, void> {
  for (let at = 0; at < to; ) {
    const piece = Buffer.allocUnsafeSlow(Math.min(packedPieceBytes, to - at))
    const got = await packed.read(piece, at)
    if (got === 0) return
    const whole = Math.min(got, Math.max(singlyFrom - at, 0))
    if (whole > 0) yield piece.subarray(0, whole)
    for (let i = whole; i < got; i++) yield piece.subarray(i, i + 1)
    at += got
  }
}

/** Returns true for an error of the disk, which is passed on; an unpacker's own error is the archive's fault. */
export function isDiskError(error: unknown): error is DiskError {
  return error instanceof DiskError
}
