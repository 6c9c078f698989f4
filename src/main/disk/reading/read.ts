import type { Disk } from '../interface/disk'
import { DiskError } from '../interface/disk'
import { readExactly } from './lines'

/** Far more than any small file of a home needs; a larger one is not what it seems. */
const smallFileBytes = 16 * 1024 * 1024

/**
 * Reads a whole small file; resolves to undefined where nothing is there.
 *
 * @throws DiskError `too-large` above the limit, `is-directory`
 */
export async function readSmallFile(
  disk: Disk,
  path: string,
  limitBytes: number = smallFileBytes,
): Promise<Uint8Array | undefined> {
  try {
    return await readWholeFile(disk, path, limitBytes)
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/**
 * Reads a whole file of at most `limitBytes`.
 *
 * @throws DiskError `not-found`, `too-large` above the limit, `is-directory`
 */
export async function readWholeFile(
  disk: Disk,
  path: string,
  limitBytes: number = smallFileBytes,
): Promise<Uint8Array> {
  const file = await disk.open(path, 'read')
  try {
    const { sizeBytes, kind } = await file.stat()
    if (kind === 'directory') throw new DiskError('is-directory', path, `${path} is a folder`)
    if (sizeBytes > limitBytes)
      throw new DiskError('too-large', path, `${path} holds ${sizeBytes} bytes, too many to read`)
    // One byte more than its size shows a file that is growing, and special files, whose size is 0.
    const bytes = await readExactly(file, 0, Math.max(sizeBytes + 1, 4096))
    if (bytes.length > sizeBytes && bytes.length > limitBytes)
      throw new DiskError('too-large', path, `${path} is too large to read`)
    return bytes
  } finally {
    await file.close()
  }
}

/**
 * Reads a small file as text, without a byte order mark and with bad UTF-8 replaced; undefined where nothing is there.
 * Throws like `readSmallFile`.
 */
export async function readSmallText(
  disk: Disk,
  path: string,
  limitBytes?: number,
): Promise<string | undefined> {
  const bytes = await readSmallFile(disk, path, limitBytes)
  if (bytes === undefined) return undefined
  // Several times as fast as a TextDecoder, which takes the byte order mark away.
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
}

/**
 * Lists the names in a folder, unsorted; none where it is missing.
 *
 * @throws DiskError
 */
export async function namesInFolder(disk: Disk, folder: string): Promise<readonly string[]> {
  try {
    return await disk.list(folder)
  } catch (error) {
    if (isNotFound(error)) return []
    throw error
  }
}

/** Returns true for a DiskError that means that nothing is there: `not-found` or `not-directory`. */
export function isNotFound(error: unknown): boolean {
  return (
    error instanceof DiskError && (error.code === 'not-found' || error.code === 'not-directory')
  )
}

/** Returns true for a DiskError `exists`. */
export function isNameTaken(error: unknown): boolean {
  return error instanceof DiskError && error.code === 'exists'
}

/** Returns true for a DiskError that means that links lead round to themselves. */
export function isLinkCircle(error: unknown): boolean {
  const cause = error instanceof DiskError ? error.cause : undefined
  return cause instanceof Error && 'code' in cause && cause.code === 'ELOOP'
}
