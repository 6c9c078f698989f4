import path from 'node:path'
import type { Disk } from '../../main/disk/interface/disk'
import { readWholeFile } from '../../main/disk/reading/read'
import type { ReadPdf } from '../../shared/model/attachments/pdf'
import {
  type GivenTextFile,
  textAmountFault,
  textFilesFault,
} from '../../shared/model/attachments/text-files'
import { needsReading, withPdfText } from '../../shared/model/attachments/with-pdf-text'
import { type GivenImage, imageLimits, imageTypeOf } from '../../shared/model/conversation/images'
import { type Arguments, UsageError } from '../command/arguments'

interface AttachedFiles {
  readonly images: readonly GivenImage[]
  readonly files: readonly GivenTextFile[]
  readonly notes: readonly string[]
}

/**
 * Reads the files of `--attach`, told apart by their first bytes: images, texts, and PDFs, whose text goes with the message; `notes` says which of their pages do not.
 *
 * @throws UsageError which names a file that cannot be read, is none of these, or is too large
 */
export async function attachedFiles(
  args: Arguments,
  disk: Disk,
  readPdf: ReadPdf<AbortSignal>,
  signal: AbortSignal,
): Promise<AttachedFiles> {
  const given: unknown = args.flags.attach
  const images: GivenImage[] = []
  const files: GivenTextFile[] = []
  for (const file of Array.isArray(given) ? given.map(String) : []) {
    let bytes: Uint8Array
    try {
      bytes = await readWholeFile(disk, path.resolve(file), imageLimits.bytes)
    } catch (error) {
      throw new UsageError(`--attach: ${error instanceof Error ? error.message : String(error)}`)
    }
    const one = { name: path.basename(file), bytes }
    if (imageTypeOf(bytes) === undefined) files.push(one)
    else images.push(one)
  }
  const many = textAmountFault(files)
  if (many !== undefined) throw new UsageError(`--attach: ${many}`)
  const read: GivenTextFile[] = []
  const notes: string[] = []
  for (const file of files) {
    const given = needsReading(file) ? await withPdfText(file, readPdf, signal) : { file }
    if ('fault' in given) throw new UsageError(`--attach: ${given.fault}`)
    read.push(given.file)
    if ('note' in given.file && given.file.note !== undefined) notes.push(given.file.note)
  }
  const fault = textFilesFault(read, (bytes, encoding) =>
    new TextDecoder(encoding, { fatal: true }).decode(bytes),
  )
  if (fault !== undefined) throw new UsageError(`--attach: ${fault}`)
  return { images, files: read, notes }
}
