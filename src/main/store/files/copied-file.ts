import type { Disk } from '../../disk/interface/disk'

const chunkBytes = 256 * 1024

/** A file as it was found. */
interface ProbedFile {
  readonly path: string
  readonly identity: string
  readonly sizeBytes: number
}

/**
 * Resolves to true where a legacy transcript is already the beginning of another file: a migration that was
 * interrupted. Reads both up to the legacy file's size.
 */
export async function isCopied(
  disk: Disk,
  legacy: ProbedFile,
  files: readonly ProbedFile[],
): Promise<boolean> {
  for (const file of files) {
    if (file.identity === legacy.identity) return true
    if (file.sizeBytes >= legacy.sizeBytes && (await startsAlike(disk, legacy, file))) return true
  }
  return false
}

async function startsAlike(disk: Disk, shorter: ProbedFile, longer: ProbedFile): Promise<boolean> {
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
