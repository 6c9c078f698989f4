import path from 'node:path'
import type { Disk } from '../../main/disk/interface/disk'
import { readWholeFile } from '../../main/disk/reading/read'
import { type GivenTextFile, textFilesFault } from '../../shared/model/attachments/text-files'
import { type GivenImage, imageLimits, imageTypeOf } from '../../shared/model/conversation/images'
import { type Arguments, UsageError } from '../command/arguments'

/**
 * Reads the files of `--attach`, told apart by their first bytes: images, and texts.
 *
 * @throws UsageError which names a file that cannot be read, is neither, or is too large
 */
export async function attachedFiles(
  args: Arguments,
  disk: Disk,
): Promise<{ readonly images: readonly GivenImage[]; readonly files: readonly GivenTextFile[] }> {
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
  const fault = textFilesFault(files, (bytes, encoding) =>
    new TextDecoder(encoding, { fatal: true }).decode(bytes),
  )
  if (fault !== undefined) throw new UsageError(`--attach: ${fault}`)
  return { images, files }
}
