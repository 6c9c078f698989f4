import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type Disk, DiskError, type DiskFile } from '../../disk/interface/disk'
import { yieldToOthers } from '../../disk/pacing/slices'
import { isNameTaken } from '../../disk/reading/read'
import { moveToFreeName, removeIfThere, writeAll } from '../../disk/writing/atomic'

const chunkBytes = 1024 * 1024

/** A copy that goes on where an earlier one was stopped. */
export interface CopyOptions {
  /** Called with the bytes that are copied, or were there already, since the last call. */
  readonly copied: (bytes: number) => void
  readonly signal: AbortSignal
}

/**
 * Copies a file to a free name, durably. What was copied when it is stopped or fails stays beside the name, and the next copy
 * of the same file goes on there. Holds one chunk, and uses its memory for each.
 *
 * @throws AppError `exists` the name is taken by now, `io` the file changed meanwhile; DiskError; the signal's reason
 */
export async function copyOn(
  disk: Disk,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  await copyPart(disk, from, to, options)
  await takeName(disk, to)
}

/**
 * Copies a file beside a free name, durably, under the one that `partNameOf` returns: `takeName` gives it the name. What was copied when it is
 * stopped or fails stays, but on a full disk.
 *
 * @throws AppError `io` the file or its copy changed meanwhile; DiskError; the signal's reason
 */
export async function copyPart(
  disk: Disk,
  from: string,
  to: string,
  options: CopyOptions,
): Promise<void> {
  const part = partNameOf(to)
  try {
    await writePart(disk, from, part, options)
  } catch (error) {
    const isFull = error instanceof DiskError && error.code === 'no-space'
    // On a full disk it would only stand in the way.
    if (isFull || error instanceof PartChanged)
      await removeIfThere(disk, part).catch(() => undefined)
    throw error
  }
}

/** The copy has other bytes than were written into it: whose they are is not known. */
class PartChanged extends AppError {}

async function writePart(
  disk: Disk,
  from: string,
  part: string,
  { copied, signal }: CopyOptions,
): Promise<void> {
  const source = await disk.open(from, 'read')
  try {
    const before = await source.stat()
    const done = await sameBeginning(disk, source, part, copied, signal)
    if (done === undefined) await removeIfThere(disk, part)
    const target = await disk.open(part, 'append')
    try {
      const buffer = Buffer.allocUnsafeSlow(chunkBytes)
      let at = done ?? 0
      for (;;) {
        signal.throwIfAborted()
        const chunk = await fill(buffer, source, at)
        if (chunk.length === 0) break
        await writeAll(target, part, chunk)
        at += chunk.length
        copied(chunk.length)
        await yieldToOthers(chunk.length)
      }
      await target.sync()
      const after = await source.stat()
      if (after.sizeBytes !== at || after.mtimeMs !== before.mtimeMs)
        throw new AppError('io', `${path.basename(from)} changed while it was copied.`)
      if ((await target.stat()).sizeBytes !== at)
        throw new PartChanged(
          'io',
          `The copy of ${path.basename(from)} was changed by another program. Import it again.`,
        )
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/** Returns true where two files have the same bytes; false where one is missing. @throws DiskError; the signal's reason */
export async function areSame(
  disk: Disk,
  from: string,
  to: string,
  { copied, signal }: CopyOptions,
): Promise<boolean> {
  const [one, other] = await Promise.all([disk.stat(from), disk.stat(to)])
  if (one?.kind !== 'file' || other?.kind !== 'file' || one.sizeBytes !== other.sizeBytes)
    return false
  const source = await disk.open(from, 'read')
  try {
    return (await sameBeginning(disk, source, to, copied, signal)) === one.sizeBytes
  } finally {
    await source.close()
  }
}

/** Returns the name of what is copied so far; readers pass it by. */
export function partNameOf(to: string): string {
  return path.join(path.dirname(to), `.${path.basename(to)}.part`)
}

/** Returns the length of a file that has the source's first bytes; undefined for a file with others, or longer. */
async function sameBeginning(
  disk: Disk,
  source: DiskFile,
  file: string,
  copied: (bytes: number) => void,
  signal: AbortSignal,
): Promise<number | undefined> {
  const stat = await disk.stat(file)
  if (stat === undefined) return 0
  if (stat.kind !== 'file') return undefined
  const opened = await disk.open(file, 'read')
  try {
    const myBuffer = Buffer.allocUnsafeSlow(chunkBytes)
    const theirBuffer = Buffer.allocUnsafeSlow(chunkBytes)
    for (let at = 0; ; ) {
      signal.throwIfAborted()
      const [mine, theirs] = await Promise.all([
        fill(myBuffer, opened, at),
        fill(theirBuffer, source, at),
      ])
      if (Buffer.compare(mine, theirs.subarray(0, mine.length)) !== 0) return undefined
      at += mine.length
      copied(mine.length)
      if (mine.length < chunkBytes) return at
      await yieldToOthers(mine.length)
    }
  } finally {
    await opened.close()
  }
}

/** Reads from a position on until the buffer is full; the part that is filled is shorter where the file ends before. */
async function fill(buffer: Buffer, file: DiskFile, position: number): Promise<Uint8Array> {
  let filled = 0
  for (let got = 1; got > 0 && filled < buffer.length; filled += got)
    got = await file.read(buffer.subarray(filled), position + filled)
  return buffer.subarray(0, filled)
}

/**
 * Gives what `copyPart` copied its name, durably. A name is never taken from another file: where it is taken, nothing is left beside it.
 *
 * @throws AppError `exists` the name is taken by now; DiskError
 */
export async function takeName(disk: Disk, to: string): Promise<void> {
  const part = partNameOf(to)
  try {
    await moveToFreeName(disk, part, to)
  } catch (error) {
    if (!isNameTaken(error)) throw error
    await removeIfThere(disk, part)
    throw new AppError('exists', `${path.basename(to)} is there already.`, { cause: error })
  }
  await disk.syncFolder(path.dirname(to))
}
