import path from 'node:path'
import { type Disk, DiskError, type DiskFile } from '../interface/disk'
import type { FilePermissions } from '../interface/permissions'
import { moveToFreeName, renameFile, temporaryName, withTemporary, writeAll } from './atomic'

/** A failure behind the last step of a writing: the file has its name, and may not outlast a power failure. */
export class NotDurableError extends DiskError {
  override name = 'NotDurableError'
}

/** Written at once: small pieces would each cost a call. In characters. */
const batchLength = 256 * 1024

/**
 * Writes a file from pieces, text as UTF-8 and bytes as they are, and puts it in its place when it is complete; until
 * then, and after a failure, the previous file is unchanged. A link stays a link, and its target is replaced;
 * permissions stay. Durable on return. Holds one batch of pieces at a time.
 *
 * @param permissions where nothing is there yet
 * @param check looks at the place, with links followed, once all is written; where it throws, what stood there is as it was
 * @returns the bytes written
 * @throws DiskError also where something is that is no regular file: a folder, a device, a pipe, a link to nothing;
 * NotDurableError once it is in its place; what `check` throws
 */
export async function writePieces(
  disk: Disk,
  target: string,
  pieces: AsyncIterable<string | Uint8Array>,
  permissions?: FilePermissions,
  check?: (place: string) => Promise<void>,
): Promise<number> {
  return writeAllOf(disk, target, pieces, { permissions, check, how: 'replaces' })
}

/**
 * Writes like `writePieces`, but only under a name that is free, also at the end.
 *
 * @throws DiskError `exists` where something is, also when it came meanwhile
 */
export async function writeNewPieces(
  disk: Disk,
  target: string,
  pieces: AsyncIterable<string | Uint8Array>,
  permissions?: FilePermissions,
): Promise<number> {
  if ((await disk.stat(target)) !== undefined)
    throw new DiskError('exists', target, `${target} exists already`)
  return writeAllOf(disk, target, pieces, { permissions, how: 'new' })
}

/** A file that is written by something else than pieces in order. */
export interface FilledFile {
  /** Fills the file, which is new and empty. */
  readonly fill: (file: DiskFile, temporary: string) => Promise<void>
  /** Looks at what is on the disk, before it gets its name: that of the place, with links followed. */
  readonly check: (temporary: string, place: string) => Promise<void>
}

/**
 * Writes a file like `writePieces`, by a function that fills it; it gets its name once it passed a check.
 *
 * @throws DiskError as that does; what `fill` and `check` throw: then what stood there is as it was
 */
export async function writeFilled(
  disk: Disk,
  target: string,
  filled: FilledFile,
  permissions?: FilePermissions,
): Promise<void> {
  await write(disk, target, filled, permissions, 'replaces')
}

/** Joins pieces to fewer, as bytes: each costs a call. */
export async function* inBatches(
  pieces: AsyncIterable<string | Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  let waiting = ''
  for await (const piece of pieces) {
    if (typeof piece !== 'string') {
      if (waiting !== '') yield encoder.encode(waiting)
      waiting = ''
      yield piece
      continue
    }
    waiting += piece
    if (waiting.length < batchLength) continue
    yield encoder.encode(waiting)
    waiting = ''
  }
  if (waiting !== '') yield encoder.encode(waiting)
}

async function writeAllOf(
  disk: Disk,
  target: string,
  pieces: AsyncIterable<string | Uint8Array>,
  {
    permissions,
    check,
    how,
  }: {
    readonly permissions: FilePermissions | undefined
    readonly check?: ((place: string) => Promise<void>) | undefined
    readonly how: 'replaces' | 'new'
  },
): Promise<number> {
  let written = 0
  const filled: FilledFile = {
    async fill(file) {
      for await (const bytes of inBatches(pieces)) {
        await writeAll(file, target, bytes)
        written += bytes.length
      }
    },
    check: async (_, place) => check?.(place),
  }
  await write(disk, target, filled, permissions, how)
  return written
}

async function write(
  disk: Disk,
  target: string,
  { fill, check }: FilledFile,
  permissions: FilePermissions | undefined,
  how: 'replaces' | 'new',
): Promise<void> {
  const { real, isThere } = await placeOf(disk, target)
  const temporary = temporaryName(real)
  await withTemporary(disk, temporary, async () => {
    const file = await disk.open(temporary, 'create-new', isThere ? { like: [real] } : permissions)
    try {
      await fill(file, temporary)
      await file.sync()
    } finally {
      await file.close()
    }
    await check(temporary, real)
    if (how === 'new') await moveToFreeName(disk, temporary, real)
    else await renameFile(disk, temporary, real)
  })
  try {
    await disk.syncFolder(path.dirname(real))
  } catch (error) {
    if (!(error instanceof DiskError)) throw error
    throw new NotDurableError(error.code, real, error.message, error)
  }
}

/** Where a file of this name really lies, or will. @throws DiskError where something else is */
async function placeOf(
  disk: Disk,
  target: string,
): Promise<{ readonly real: string; readonly isThere: boolean }> {
  const stat = await disk.stat(target)
  if (stat?.kind === 'directory')
    throw new DiskError('is-directory', target, `${target} is a folder, not a file`)
  if (stat?.kind === 'other')
    throw new DiskError('io', target, `${target} is a device or a pipe, not a file`)
  if (stat !== undefined) return { real: await disk.realPath(target), isThere: true }
  // A name in the folder under which nothing is found is a link; a rename would put the file in the link's place.
  const names: readonly string[] = await disk.list(path.dirname(target)).catch(() => [])
  if (names.includes(path.basename(target)))
    throw new DiskError('not-found', target, `${target} is a link to something that is not there`)
  return { real: target, isThere: false }
}
