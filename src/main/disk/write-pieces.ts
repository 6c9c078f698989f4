import path from 'node:path'
import { temporaryName, withTemporary, writeAll } from './atomic'
import type { Disk } from './disk'

/** Written at once: small pieces would each cost a call. In characters. */
const batchLength = 256 * 1024

/**
 * Writes a file from pieces, text as UTF-8 and bytes as they are, and puts it in its place when it is whole; what was there before stands
 * until then, also when it fails. Durable on return. Holds one batch of pieces at a time.
 *
 * @returns the bytes written
 */
export async function writePieces(
  disk: Disk,
  target: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<number> {
  const temporary = temporaryName(target)
  let written = 0
  await withTemporary(disk, temporary, async () => {
    const file = await disk.open(temporary, 'create-new')
    try {
      let waiting = ''
      const write = async (bytes: Uint8Array) => {
        await writeAll(file, target, bytes)
        written += bytes.length
      }
      const flush = async () => {
        if (waiting === '') return
        const bytes = new TextEncoder().encode(waiting)
        waiting = ''
        await write(bytes)
      }
      for await (const piece of pieces) {
        if (typeof piece === 'string') {
          waiting += piece
          if (waiting.length >= batchLength) await flush()
        } else {
          await flush()
          await write(piece)
        }
      }
      await flush()
      await file.sync()
    } finally {
      await file.close()
    }
    await disk.rename(temporary, target)
  })
  await disk.syncFolder(path.dirname(target))
  return written
}
