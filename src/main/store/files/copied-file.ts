import type { Disk } from '../../disk/interface/disk'

const chunkBytes = 256 * 1024

/** A file as it was looked at. */
interface LookedAt {
  readonly path: string
  readonly identity: string
  readonly sizeBytes: number
}

/** Whether a legacy transcript is at the beginning of another file already: a migration that was cut off. */
export async function isCopied(
  disk: Disk,
  legacy: LookedAt,
  files: readonly LookedAt[],
): Promise<boolean> {
  for (const file of files) {
    if (file.identity === legacy.identity) return true
    if (file.sizeBytes >= legacy.sizeBytes && (await startsAlike(disk, legacy, file))) return true
  }
  return false
}

async function startsAlike(disk: Disk, shorter: LookedAt, longer: LookedAt): Promise<boolean> {
  const a = await disk.open(shorter.path, 'read')
  try {
    const b = await disk.open(longer.path, 'read')
    try {
      const left = Buffer.alloc(chunkBytes)
      const right = Buffer.alloc(chunkBytes)
      for (let at = 0; at < shorter.sizeBytes; ) {
        const want = Math.min(chunkBytes, shorter.sizeBytes - at)
        const n = await a.read(left.subarray(0, want), at)
        if (n === 0) return false
        let m = 0
        while (m < n) {
          const got = await b.read(right.subarray(m, n), at + m)
          if (got === 0) return false
          m += got
        }
        if (!left.subarray(0, n).equals(right.subarray(0, n))) return false
        at += n
      }
      return true
    } finally {
      await b.close()
    }
  } finally {
    await a.close()
  }
}
