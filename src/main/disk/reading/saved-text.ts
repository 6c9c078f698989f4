import type { Disk } from '../interface/disk'
import { readExactly } from './lines'
import { type OwnFile, readOwnFile } from './own-file'

/** Part of a text file: its words, and the bytes that they are. */
export interface TextPart {
  readonly text: string
  /** Where the part begins and ends, in bytes; fewer than asked for where a character would be cut. */
  readonly from: number
  readonly to: number
  /** Size of the file, in bytes. */
  readonly bytes: number
}

/**
 * Reads a part of a text file below a folder, by the rules of `readOwnFile`; bad UTF-8 is replaced, and a character at the part's end is
 * left for the next one.
 *
 * @param from in bytes, where the part before it ended
 * @param most bytes
 */
export function readTextPart(
  disk: Disk,
  base: string,
  below: string,
  from: number,
  most: number,
): Promise<OwnFile<TextPart>> {
  return readOwnFile(disk, base, below, async (file, { sizeBytes }) => {
    const length = Math.max(0, Math.min(most, sizeBytes - from))
    const read = await readExactly(file, from, length)
    const isLast = from + read.length >= sizeBytes || read.length < length
    const bytes = isLast ? read : read.subarray(0, wholeCharacters(read))
    return {
      text: new TextDecoder('utf-8', { ignoreBOM: from > 0 }).decode(bytes),
      from,
      to: from + bytes.length,
      bytes: Math.max(sizeBytes, from + bytes.length),
    }
  })
}

/** How many bytes there are before a character that the end may cut; all of them where there is nothing else. */
function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= 3 && back < bytes.length; back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if ((byte & 0xc0) === 0x80) continue
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
    return wanted > back ? bytes.length - back : bytes.length
  }
  return bytes.length
}
