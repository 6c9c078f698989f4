import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { Disk } from '../../disk/interface/disk'
import { readSmallFile } from '../../disk/reading/read'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { writePieces } from '../../disk/writing/write-pieces'
import { tomlLimitBytes } from './toml'

/**
 * Changes a small text file: `edit` gets what it holds, empty where it is missing, and gives what it will hold. A byte
 * order mark, a link and the file's permissions stay; nothing is written where the text stays the same. Durable on
 * return, and whatever happens the file is the old one or the new one. The folder is made where it is missing.
 *
 * @throws AppError `unreadable` for what is no UTF-8 text, `busy` where somebody else changed the file meanwhile;
 * DiskError; and what `edit` throws
 */
export async function rewriteText(
  disk: Disk,
  file: string,
  edit: (text: string) => string | Promise<string>,
): Promise<void> {
  const before = await readSmallFile(disk, file, tomlLimitBytes)
  const whole = textIn(before, path.basename(file))
  const mark = whole.startsWith('\uFEFF') ? '\uFEFF' : ''
  const after = `${mark}${await edit(whole.slice(mark.length))}`
  if (after === whole) return
  await makeDurableFolder(disk, path.dirname(file))
  await writePieces(disk, file, unlessChanged(disk, file, before, after))
}

function textIn(bytes: Uint8Array | undefined, name: string): string {
  if (bytes === undefined) return ''
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new AppError('unreadable', `${name} is not UTF-8 text and cannot be changed here.`)
  }
}

/** The new text; looks right before the file is replaced whether it is still what was read. */
async function* unlessChanged(
  disk: Disk,
  file: string,
  before: Uint8Array | undefined,
  after: string,
): AsyncGenerator<string | Uint8Array> {
  yield new TextEncoder().encode(after)
  const now = await readSmallFile(disk, file, tomlLimitBytes)
  const isSame =
    now === undefined || before === undefined ? now === before : Buffer.compare(now, before) === 0
  if (!isSame)
    throw new AppError(
      'busy',
      `${path.basename(file)} was changed by another program just now; nothing was written. Try again.`,
    )
}
