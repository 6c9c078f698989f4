import { createHash } from 'node:crypto'
import type { DiskFile } from '../../disk/interface/disk'

const chunkBytes = 1024 * 1024

/** Computes the digest of a run's bytes, by which it is recognised: SHA-256, its first 22 characters in base64url. */
export function digestRun(bytes: Uint8Array): string {
  return shortened(createHash('sha256').update(bytes))
}

/**
 * Computes the digest of bytes `from` to `to` of a file as they are now; of fewer where the file ends before. Costs
 * reading and hashing them.
 */
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
