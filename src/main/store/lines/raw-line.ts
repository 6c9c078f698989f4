import { AppError } from '../../../shared/model/basics/errors'
import type { EntryId } from '../../../shared/model/conversation/entry'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { yieldToOthers } from '../../disk/pacing/slices'
import { longestLineBytes, readExactly } from '../../disk/reading/lines'
import type { TranscriptFile } from '../core/transcript-file'
import { beginsLine } from './cursor'
import { decodeLineAsync } from './entry-line'
import { openUnmoved } from './file-facts'
import { readLegacyDocument } from './legacy-document'

const lineFeed = 0x0a
const beginningBytes = 1024 * 1024
/** Some milliseconds at most, even where every byte is a line feed. */
const countedAtOnce = 256 * 1024

/**
 * Reads the bytes of a line as they are on the disk, and its number: the line feeds before it are counted, at
 * gigabytes a second. Of a line that is too long to be held, the first megabyte.
 *
 * @throws AppError `not-found` no line of that length stands there (any more)
 */
export async function readLineAt(
  disk: Disk,
  context: string,
  file: TranscriptFile,
  offset: number,
  length: number,
): Promise<{ readonly bytes: Uint8Array; readonly line: number }> {
  const gone = new AppError('not-found', `${file.place} no longer has this line.`)
  const opened = await openUnmoved(disk, file)
  try {
    if (offset + length > file.sizeBytes) throw gone
    const isHeld = length <= longestLineBytes
    const bytes = await readExactly(opened, offset, isHeld ? length : beginningBytes)
    const after = await readExactly(opened, offset + length, 1)
    if (file.kind === 'document') {
      const { facts } = await readLegacyDocument(disk, file, context)
      const at = facts.findIndex(({ place }) => place.offset === offset && place.length === length)
      if (at < 0) throw gone
      return { bytes, line: at + 1 }
    }
    const isWhole = after.length === 0 || after[0] === lineFeed
    if (!isWhole || bytes.includes(lineFeed) || !(await beginsLine(disk, file, offset))) throw gone
    return { bytes, line: 1 + (await countLineFeeds(opened, offset)) }
  } finally {
    await opened.close()
  }
}

/** Resolves to true where the bytes of a line have an entry of this id, whole or recovered. */
export async function holdsEntry(bytes: Uint8Array, id: EntryId): Promise<boolean> {
  const decoded = await decodeLineAsync({ bytes, offset: 0, length: bytes.length, ended: true })
  if (decoded.type === 'entry') return decoded.draft.id === id
  const found = decoded.type === 'damaged' ? decoded.recovered : []
  return found.some((draft) => draft.id === id)
}

/** Counts the line feeds before an offset, at gigabytes a second. */
export async function countLineFeeds(file: DiskFile, before: number): Promise<number> {
  const chunk = Buffer.allocUnsafe(Math.min(countedAtOnce, before))
  let count = 0
  for (let position = 0; position < before; ) {
    const got = await file.read(chunk.subarray(0, before - position), position)
    if (got === 0) break
    const read = chunk.subarray(0, got)
    for (let at = read.indexOf(lineFeed); at >= 0; at = read.indexOf(lineFeed, at + 1)) count += 1
    position += got
    await yieldToOthers(got)
  }
  return count
}
