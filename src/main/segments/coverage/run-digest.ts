import { createHash } from 'node:crypto'
import type { DiskFile } from '../../disk/interface/disk'

const chunkBytes = 1024 * 1024

/** A digest of the bytes of a run, by which it is known again. */
export function digestRun(bytes: Uint8Array): string {
  return shortened(createHash('sha256').update(bytes))
}

/** The digest of bytes `from` to `to` of a file as they stand now, at the speed of a hash; of fewer where the file ends before. */
export async function readRunDigest(file: DiskFile, from: number, to: number): Promise<string> {
  const hash = createHash('sha256')
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, to - from))
  for (let at = from; at < to; ) {
    const got = await file.read(chunk.subarray(0, to - at), at)
    if (got === 0) break
    hash.update(chunk.subarray(0, got))
    at += got
  }
  return shortened(hash)
}

function shortened(hash: ReturnType<typeof createHash>): string {
  return hash.digest('base64url').slice(0, 22)
}
