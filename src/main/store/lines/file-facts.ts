import { LedgerCount } from '../../../shared/model/conversation/ledger'
import type { FileLedger } from '../../../shared/model/conversation/transcript'
import { type Disk, DiskError, type DiskFile } from '../../disk/interface/disk'
import { chunkBytesFor, readLines } from '../../disk/reading/lines'
import { isNotFound } from '../../disk/reading/read'
import type { TranscriptFile } from '../core/transcript-file'
import { readLegacyDocument } from './legacy-document'
import { decodeLineFact, type LineFact } from './line-facts'

/** The error for a file that is not the one that was found any more: it was rotated or replaced in between. */
export class FileMovedError extends Error {}

/**
 * Opens a transcript file, if it is still the one that was found.
 *
 * @throws FileMovedError
 */
export async function openUnmoved(disk: Disk, file: TranscriptFile): Promise<DiskFile> {
  const opened = await disk.open(file.path, 'read').catch((error: unknown) => {
    // It was there when it was looked up: between a rotation's rename and the next append it has no active partition.
    throw isNotFound(error) ? new FileMovedError(`${file.path} went away while it was read`) : error
  })
  try {
    if ((await opened.stat()).identity === file.identity) return opened
  } catch (error) {
    await opened.close()
    throw error
  }
  await opened.close()
  throw new FileMovedError(`${file.path} was replaced while it was read`)
}

/**
 * Reads every line of a file in order, in batches; returns its ledger. Holds one chunk, and the line that spans it.
 *
 * @param taken is called with the offset up to which lines were given
 *
 * @throws FileMovedError; DiskError, also where the file was cut while it was read
 */
export async function* readFileFacts(
  disk: Disk,
  file: TranscriptFile,
  context: string,
  signal?: AbortSignal,
  taken?: (toByte: number) => void,
): AsyncGenerator<readonly LineFact[], FileLedger> {
  const count = new LedgerCount(file.place, file.kind === 'document' ? 'message' : 'line')
  if (file.kind === 'document') {
    const { facts } = await readLegacyDocument(disk, file, context)
    for (const fact of facts) count.add(fact)
    yield facts
    return count.ledger()
  }
  const opened = await openUnmoved(disk, file)
  try {
    let reached = 0
    const chunkBytes = chunkBytesFor(file.sizeBytes)
    const { begin } = file
    const part = begin === undefined ? {} : { from: begin.offset, to: file.sizeBytes }
    const before = (begin?.line ?? 1) - 1
    const options = { chunkBytes, ...part, ...(signal ? { signal } : {}) }
    for await (const lines of readLines(opened, options)) {
      const facts: LineFact[] = []
      for (const line of lines) {
        const coming = decodeLineFact(file.place, line, before + count.nextLine)
        const fact = coming instanceof Promise ? await coming : coming
        count.add(fact)
        facts.push(fact)
        reached = line.offset + line.length + (line.ended ? 1 : 0)
      }
      yield facts
      taken?.(reached)
    }
    if (reached < file.sizeBytes)
      throw new DiskError('io', file.path, `${file.path} was cut while it was read`)
  } finally {
    await opened.close()
  }
  return count.ledger()
}
