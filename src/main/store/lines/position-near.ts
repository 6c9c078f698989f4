import type { Disk } from '../../disk/interface/disk'
import type { TranscriptFile } from '../core/transcript-file'
import type { Position } from './cursor'
import { openUnmoved } from './file-facts'
import { readLegacyDocument } from './legacy-document'

const lineFeed = 0x0a
const chunkBytes = 64 * 1024

/**
 * Finds the first line that begins at so many bytes of all files, or after them; the end of the files where there is none. Reads
 * to the next line feed.
 *
 * @throws FileMovedError, DiskError
 */
export async function positionNear(
  disk: Disk,
  files: readonly TranscriptFile[],
  bytes: number,
): Promise<Position> {
  let before = 0
  for (const [index, file] of files.entries()) {
    const offset = await lineFrom(disk, file, bytes - before)
    if (offset !== undefined) return { file: index, offset, line: undefined }
    before += file.sizeBytes
  }
  const last = files.at(-1)
  const offset = last?.kind === 'document' ? await recordsOf(disk, last) : (last?.sizeBytes ?? 0)
  return { file: Math.max(0, files.length - 1), offset, line: undefined }
}

/** The first line of a file at an offset or after it; undefined where none begins there. */
async function lineFrom(
  disk: Disk,
  file: TranscriptFile,
  offset: number,
): Promise<number | undefined> {
  if (offset >= file.sizeBytes) return undefined
  // Positions in a document are its records.
  if (file.kind === 'document')
    return Math.floor((Math.max(0, offset) / file.sizeBytes) * (await recordsOf(disk, file)))
  const begin = file.begin?.offset ?? 0
  if (offset <= begin) return begin
  const opened = await openUnmoved(disk, file)
  try {
    const chunk = new Uint8Array(chunkBytes)
    for (let at = offset - 1; at < file.sizeBytes; ) {
      const count = await opened.read(chunk, at)
      if (count === 0) return undefined
      const found = chunk.subarray(0, count).indexOf(lineFeed)
      if (found >= 0) return at + found + 1 < file.sizeBytes ? at + found + 1 : undefined
      at += count
    }
    return undefined
  } finally {
    await opened.close()
  }
}

async function recordsOf(disk: Disk, file: TranscriptFile): Promise<number> {
  return (await readLegacyDocument(disk, file, '')).facts.length
}
