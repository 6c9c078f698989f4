import { createHash, type Hash } from 'node:crypto'
import path from 'node:path'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { yieldToOthers } from '../../disk/pacing/slices'
import { readExactly } from '../../disk/reading/lines'
import { isNameTaken } from '../../disk/reading/read'
import { removeIfThere, writeAll } from '../../disk/writing/atomic'

const chunkBytes = 1024 * 1024

/** The length and SHA-256 of some bytes. */
export interface Digest {
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
}

/** Reads a file's digest; of its first `end` bytes where that is given. @throws DiskError; the signal's reason */
export async function digestOf(
  disk: Disk,
  file: string,
  signal: AbortSignal,
  end = Number.POSITIVE_INFINITY,
): Promise<Digest> {
  const opened = await disk.open(file, 'read')
  try {
    const hash = createHash('sha256')
    let at = 0
    for await (const chunk of chunksOf(opened, 0, end, signal)) {
      hash.update(chunk)
      at += chunk.length
    }
    return { bytes: at, sha256: hash.digest('hex') }
  } finally {
    await opened.close()
  }
}

/**
 * Compares a copy with the beginning of its original: resolves to the hash of these bytes, to go on with, or to undefined where
 * the copy has others, or more.
 *
 * @throws DiskError; the signal's reason
 */
export async function hashIfBeginning(
  original: DiskFile,
  copy: DiskFile,
  signal: AbortSignal,
): Promise<Hash | undefined> {
  const hash = createHash('sha256')
  let at = 0
  for await (const mine of chunksOf(copy, 0, Number.POSITIVE_INFINITY, signal)) {
    const theirs = await readExactly(original, at, mine.length)
    if (Buffer.compare(mine, theirs) !== 0) return undefined
    hash.update(mine)
    at += mine.length
  }
  return hash
}

/**
 * Writes the bytes of a file from one place to another at the end of an open copy, and syncs it.
 *
 * @param hash goes over them
 *
 * @returns where it ended: before `end` where the original became shorter @throws DiskError; the signal's reason
 */
export async function appendBytes(
  original: DiskFile,
  copy: DiskFile,
  name: string,
  { from, end, hash }: { readonly from: number; readonly end: number; readonly hash: Hash },
  signal: AbortSignal,
): Promise<number> {
  let at = from
  for await (const chunk of chunksOf(original, from, end, signal)) {
    await writeAll(copy, name, chunk)
    hash.update(chunk)
    at += chunk.length
  }
  await copy.sync()
  return at
}

/**
 * Makes a new file, for its owner alone, with the bytes that another one has: its blocks are shared where the file system can, else
 * they are copied up to `end`. Synced; its folder is not. What is half there after a failure is removed.
 *
 * @throws DiskError; the signal's reason
 */
export async function copyToNew(
  disk: Disk,
  { file: original, path: from, end }: OriginalFile,
  to: string,
  signal: AbortSignal,
): Promise<Digest & { readonly isShared: boolean }> {
  try {
    if (await isCloned(disk, from, to)) {
      const opened = await disk.open(to, 'append')
      try {
        await opened.sync()
      } finally {
        await opened.close()
      }
      return { ...(await digestOf(disk, to, signal)), isShared: true }
    }
    const copy = await disk.open(to, 'create-new')
    try {
      const hash = createHash('sha256')
      const bytes = await appendBytes(original, copy, to, { from: 0, end, hash }, signal)
      return { bytes, sha256: hash.digest('hex'), isShared: false }
    } finally {
      await copy.close()
    }
  } catch (error) {
    // A full disk needs its space; what fails here is what must be known.
    await removeIfThere(disk, to).catch(() => undefined)
    throw error
  }
}

/** An original that is open. */
export interface OriginalFile {
  readonly file: DiskFile
  /** Absolute. */
  readonly path: string
  /** Its size when it was opened. */
  readonly end: number
}

async function isCloned(disk: Disk, from: string, to: string): Promise<boolean> {
  if (disk.clone === undefined) return false
  try {
    await disk.clone(from, to)
    return true
  } catch (error) {
    if (isNameTaken(error)) throw error
    return false // Most file systems cannot, and none can from one disk to another.
  }
}

async function* chunksOf(
  file: DiskFile,
  from: number,
  end: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < end; ) {
    signal.throwIfAborted()
    const chunk = await readExactly(file, at, Math.min(chunkBytes, end - at))
    if (chunk.length === 0) return
    yield chunk
    at += chunk.length
    await yieldToOthers(chunk.length)
  }
}

/** Returns the name of a copy while it is made; readers pass it by. */
export function partOfCopy(target: string): string {
  return path.join(path.dirname(target), `.${path.basename(target)}.part`)
}
