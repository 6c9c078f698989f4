import type { Disk } from '../interface/disk'
import { readExactly } from '../reading/lines'
import { writeAll } from './atomic'

const chunkBytes = 1024 * 1024

/**
 * Copies a file's bytes and permissions to a free name and syncs the copy; the folder is not synced.
 *
 * @throws DiskError
 */
export async function copyFile(disk: Disk, from: string, to: string): Promise<void> {
  const source = await disk.open(from, 'read')
  try {
    const target = await disk.open(to, 'create-new', { like: [from] })
    try {
      for (let at = 0; ; ) {
        const chunk = await readExactly(source, at, chunkBytes)
        if (chunk.length === 0) break
        await writeAll(target, to, chunk)
        at += chunk.length
      }
      await target.sync()
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}
