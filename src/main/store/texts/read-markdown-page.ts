import type { PageText } from '../../../shared/model/conversation/partitions'
import type { Disk } from '../../disk/interface/disk'
import { readExactly } from '../../disk/reading/lines'
import { isNotFound } from '../../disk/reading/read'
import type { ContextPaths } from '../core/home-paths'

/** Most bytes of it that are shown: its end. */
const mostBytes = 1024 * 1024
const lineFeed = 0x0a

/** Reads the end of `transcript.md`, from the start of a line; null where there is none. @throws DiskError */
export async function readMarkdownPage(disk: Disk, paths: ContextPaths): Promise<PageText | null> {
  try {
    if ((await disk.stat(paths.legacyPage))?.kind !== 'file') return null
    const file = await disk.open(paths.legacyPage, 'read')
    try {
      const { sizeBytes } = await file.stat()
      const from = Math.max(0, sizeBytes - mostBytes)
      const bytes = await readExactly(file, from, sizeBytes - from)
      const start = from === 0 ? 0 : bytes.indexOf(lineFeed) + 1
      const text = new TextDecoder().decode(bytes.subarray(start))
      return { text, bytes: sizeBytes, leftOut: from + start }
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}
