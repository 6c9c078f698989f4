import type { Disk } from '../../disk/interface/disk'
import type { TranscriptFile } from '../core/transcript-file'
import type { Position } from './cursor'
import { openUnmoved } from './file-facts'
import { readLegacyDocument } from './legacy-document'
import type { LineFact } from './line-facts'

const lineFeed = 0x0a
const chunkBytes = 64 * 1024

/**
 * Finds the first line that begins at so many bytes of all files' own parts, or after them; the end of the files where there is none.
 * Reads to the next line feed, and a document in full.
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
    const offset = await lineFrom(disk, file, (file.begin?.offset ?? 0) + bytes - before)
    if (offset !== undefined) return { file: index, offset, line: undefined }
    before += ownBytes(file)
  }
  const last = files.at(-1)
  const offset =
    last?.kind === 'document' ? (await recordsOf(disk, last)).length : (last?.sizeBytes ?? 0)
  return { file: Math.max(0, files.length - 1), offset, line: undefined }
}

/** The first line of a file at an offset or after it; undefined where none begins there. */
async function lineFrom(
  disk: Disk,
  file: TranscriptFile,
  offset: number,
): Promise<number | undefined> {
  if (offset >= file.sizeBytes) return undefined
  if (file.kind === 'document') {
    // Positions in a document are its records. What stands before the first is no part of another.
    if (offset <= 0) return 0
    const record = (await recordsOf(disk, file)).findIndex(({ place }) => place.offset >= offset)
    return record < 0 ? undefined : record
  }
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

async function recordsOf(disk: Disk, file: TranscriptFile): Promise<readonly LineFact[]> {
  return (await readLegacyDocument(disk, file, '')).facts
}

/** Returns the bytes of a file that are the transcript's: without an earlier part that is others'. */
export function ownBytes({ sizeBytes, begin }: TranscriptFile): number {
  return Math.max(0, sizeBytes - (begin?.offset ?? 0))
}
