import { DiskError, type DiskFile } from '../interface/disk'

/** What an archive holds, after one reading of it. */
export interface MeasuredArchive {
  /** Of the content that can be read. */
  readonly sizeBytes: number
  /** The packed bytes that give this content: more of them would give nothing, or a failure. */
  readonly packedTo: number
  /** A sentence's beginning that says why the content is not whole; undefined where it is. */
  readonly fault?: string
}

/** A way of packing a file. Both are given the packed file and how many of its bytes count. */
export interface PackFormat {
  /** Reads the archive once, from end to end. @throws DiskError where the packed file cannot be read */
  measure(packed: DiskFile, packedBytes: number): Promise<MeasuredArchive>
  /**
   * The content in order, in pieces of some 100 KB at most. Ends without a word where it cannot go on; frees what it
   * holds when it is ended early. @throws DiskError where the packed file cannot be read
   */
  content(packed: DiskFile, packedTo: number): AsyncGenerator<Uint8Array, unknown>
}

/** An archive of a few kilobytes can say that it holds terabytes: nothing is read beyond this. */
export const largestContentBytes = 16 * 1024 ** 3

/** Small: 1 MB of packed zeros is 1 GB, and each piece is unpacked in one go or two. */
const packedPieceBytes = 16 * 1024

/** The packed bytes from the start, each piece in memory of its own. From `singlyFrom` on they come one by one. */
export async function* packedPieces(
  packed: DiskFile,
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

/** Whether an error is the disk's: it is passed on, where an unpacker's own is the archive's fault. */
export function isDiskError(error: unknown): error is DiskError {
  return error instanceof DiskError
}
