import type { DiskFile } from '../interface/disk'
import { largestContentBytes, type MeasuredArchive } from './unpack-format'

/** The end of unpacking an archive's first bytes: complete, early or damaged. */
export interface UnpackEnd {
  readonly type: 'whole' | 'early' | 'damaged'
  /** Packed bytes that were taken before the step that failed, or in all. */
  readonly taken: number
  /** Why it is damaged. */
  readonly reason: string
}

/** Options of unpacking a part of an archive, or of finding the byte that is damaged. */
export interface UnpackOptions {
  /** The bytes are known to be a part of the archive: all that they give is given, and their end is no failure. */
  readonly isPart?: boolean
  /** From this packed byte on they are unpacked one by one, so that a failure is one byte's. */
  readonly singlyFrom?: number
}

/** An unpacker of the first `to` packed bytes. Without `isPart`, the last content before a failure may be missing. */
export type Unpack = (
  packed: DiskFile,
  to: number,
  options?: UnpackOptions,
) => AsyncGenerator<Uint8Array, UnpackEnd>

/**
 * Measures an archive: reads a complete one once, a damaged one up to three times.
 *
 * @param name of the format, for people
 */
export async function measureArchive(
  unpack: Unpack,
  name: string,
  packed: DiskFile,
  packedBytes: number,
): Promise<MeasuredArchive & { readonly taken: number }> {
  const { sizeBytes, end } = await count(unpack(packed, packedBytes))
  if (end === undefined) {
    const fault = 'the archive unpacks to more than 16 GB: the rest is not read'
    return { sizeBytes, packedTo: packedBytes, fault, taken: packedBytes }
  }
  switch (end.type) {
    case 'whole':
      return { sizeBytes, packedTo: packedBytes, taken: end.taken }
    case 'early':
      return measurePart(packedBytes, `the archive ends early, after ${packedBytes} bytes`)
    case 'damaged': {
      // What the failing step had unpacked before it failed is thrown away. So the step is repeated byte by byte, to
      // know which byte it was; everything before that byte unpacks without a failure.
      const exact = await count(unpack(packed, packedBytes, { singlyFrom: end.taken }))
      const at = exact.end?.taken ?? end.taken
      return measurePart(
        at,
        at < 4
          ? `the file is not a ${name} archive`
          : `the archive is damaged at byte ${at}: ${end.reason}`,
      )
    }
  }

  async function measurePart(packedTo: number, fault: string) {
    const part = await count(unpack(packed, packedTo, { isPart: true }))
    return { sizeBytes: part.sizeBytes, packedTo, fault, taken: packedTo }
  }
}

/** Counts content, up to the most that is read of any, and returns its end where it came to one. */
async function count(
  content: AsyncGenerator<Uint8Array, UnpackEnd>,
): Promise<{ readonly sizeBytes: number; readonly end?: UnpackEnd }> {
  let sizeBytes = 0
  for (;;) {
    const next = await content.next()
    if (next.done === true) return { sizeBytes, end: next.value }
    sizeBytes += next.value.length
    if (sizeBytes < largestContentBytes) continue
    await content.return({ type: 'whole', taken: 0, reason: '' }) // Frees what it holds; nobody sees the value.
    return { sizeBytes: largestContentBytes }
  }
}
