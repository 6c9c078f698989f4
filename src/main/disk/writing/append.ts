import path from 'node:path'
import { type Disk, DiskError, type DiskFile } from '../interface/disk'
import type { FilePermissions } from '../interface/permissions'

const lineFeed = 0x0a

/** Reads whether a file's last byte is a line feed; true for an empty file. */
export async function endsInLineFeed(file: DiskFile, sizeBytes: number): Promise<boolean> {
  if (sizeBytes === 0) return true
  const last = new Uint8Array(1)
  return (await file.read(last, sizeBytes - 1)) === 1 && last[0] === lineFeed
}

/**
 * Appends one line to a file, which is created where it is missing: one write of the whole line, then fsync, of its folder
 * as well: whoever made the file may not have lived to sync its name.
 *
 * If the file does not end in a line feed, the same write begins with one, so that the line never joins torn bytes.
 * Any failure means that the line is not durable: what is torn stays, and nothing is cut.
 *
 * @param permissions those of a new file
 *
 * @throws DiskError `no-space` also when fewer bytes were taken than given
 */
export async function appendDurably(
  disk: Disk,
  target: string,
  line: Uint8Array,
  permissions?: FilePermissions,
): Promise<void> {
  const file = await disk.open(target, 'append', permissions)
  try {
    const { sizeBytes } = await file.stat()
    await appendLine(file, target, line, !(await endsInLineFeed(file, sizeBytes)))
    await file.sync()
  } finally {
    await file.close()
  }
  await disk.syncFolder(path.dirname(target))
}

/**
 * Writes a whole line at the end of an open file in one write, with a line feed before it where torn bytes precede it.
 * Not durable until the file is synced. Throws DiskError `no-space` where fewer bytes are taken.
 */
export async function appendLine(
  file: DiskFile,
  target: string,
  line: Uint8Array,
  afterTorn: boolean,
): Promise<void> {
  const before = afterTorn ? 1 : 0
  const bytes = Buffer.allocUnsafe(before + line.length + 1)
  if (afterTorn) bytes[0] = lineFeed
  bytes.set(line, before)
  bytes[bytes.length - 1] = lineFeed
  const written = await file.write(bytes)
  // Going on with the rest would need a second write, between which another process may append.
  if (written < bytes.length)
    throw new DiskError('no-space', target, `${target} took ${written} of ${bytes.length} bytes`)
}
