import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import { type SkeinExportHead, skeinExportForm } from '../../../shared/model/skein-export'
import type { Disk } from '../../disk/interface/disk'
import { isZip } from '../../disk/unpack/zip-directory'
import { memberName, zipMembersFolder } from '../../disk/unpack/zip-path'
import { readExportHead } from '../../readers/skein/export-head'
import { filesInExport } from './export-files'

/** An export of one conversation, where it was found. */
export interface FoundExport {
  /** A path on the disk that readers read on: in a zip, of its member. */
  readonly file: string
  readonly bytes: number
  /** Undefined where the first line is damaged, and the name alone says that it is one. */
  readonly head: SkeinExportHead | undefined
}

/** Exports of Skein's in a file, zip or folder. */
export interface FoundExports {
  readonly exports: readonly FoundExport[]
  /** Number of files that are none. */
  readonly others: number
}

/** The names that an export of many has: of the images and documents of other systems' exports not even the first line is read. */
const lineName = /\.jsonl$/i
/** Ending of the names of exports as they are imported. */
export const importedEnding = /\.skein\.jsonl$/i

/** A zip whose exports are together smaller than this is unpacked whatever its own size is. In bytes. */
const harmlessBytes = 64 * 1024 * 1024
/** How many times its own size a zip's exports may be: text of conversations is packed to a tenth, at most to a fiftieth. */
const mostUnpacked = 200

/**
 * Finds the conversations that Skein exported as JSONL: the file itself, whatever its name is, or those in a zip or folder. Reads the
 * first line of each.
 *
 * @throws AppError `bad-argument` where one was written by a newer Skein, a zip unpacks to far more than it is, or a link leads out of a
 * folder; DiskError
 */
export async function findSkeinExports(
  { disk, plain }: { readonly disk: Disk; readonly plain: Disk },
  from: string,
  signal: AbortSignal,
): Promise<FoundExports> {
  const stat = await plain.stat(from)
  const files = stat?.kind === 'directory' ? await inFolder(plain, from, signal) : [from]
  const exports: FoundExport[] = []
  let others = 0
  for (const file of files) {
    const members = await membersOf(disk, plain, file)
    const found: FoundExport[] = []
    for (const one of members ?? [file]) {
      const isAlone = one === from
      const own = isAlone || lineName.test(one) ? await exportAt(disk, one, signal) : undefined
      if (own === undefined) others += 1
      else found.push(own)
    }
    if (members?.length === 0) others += 1
    if (members !== undefined) await checkUnpacked(plain, file, found)
    for (const one of found) exports.push(one)
  }
  const newer = exports.find(({ head }) => (head?.skeinExport ?? 0) > skeinExportForm)
  if (newer !== undefined)
    throw new AppError(
      'bad-argument',
      `${path.basename(newer.file)} was exported by a newer Skein. Update Skein, then import it.`,
    )
  return { exports, others }
}

/** Reads what an export of Skein's says of its conversation; undefined for any other file, and where it cannot be read. @throws the signal's reason */
export async function exportHeadOf(
  disk: Disk,
  file: string,
  signal: AbortSignal,
): Promise<SkeinExportHead | undefined> {
  const opened = await disk.open(file, 'read').catch(() => undefined)
  try {
    return opened && (await readExportHead(opened, signal))
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error)) throw error
    return undefined
  } finally {
    await opened?.close()
  }
}

async function inFolder(plain: Disk, from: string, signal: AbortSignal) {
  const { files } = await filesInExport(plain, from, signal)
  return files.map(({ file }) => path.join(from, file))
}

async function membersOf(
  disk: Disk,
  plain: Disk,
  file: string,
): Promise<readonly string[] | undefined> {
  const opened = await plain.open(file, 'read')
  try {
    if (!(await isZip(opened))) return undefined
  } finally {
    await opened.close()
  }
  const folder = zipMembersFolder(file)
  // A zip that is none any further on is no export of Skein's: its own reader says what is wrong.
  const members = await disk.list(folder).catch(() => [])
  return members
    .filter((name) => memberName(name) !== '')
    .map((name) => path.join(folder, name))
    .sort()
}

/** Nothing but lines can be one: a document of another system is not read here. */
async function exportAt(
  disk: Disk,
  file: string,
  signal: AbortSignal,
): Promise<FoundExport | undefined> {
  const head = await exportHeadOf(disk, file, signal)
  if (head === undefined && !importedEnding.test(file)) return undefined
  const stat = await disk.stat(file)
  const bytes = stat?.kind === 'file' ? stat.sizeBytes : 0
  return head === undefined && bytes === 0 ? undefined : { file, bytes, head }
}

/** A small file that fills the disk holds no conversations. */
async function checkUnpacked(
  plain: Disk,
  zip: string,
  found: readonly FoundExport[],
): Promise<void> {
  const unpacked = found.reduce((sum, { bytes }) => sum + bytes, 0)
  const packed = (await plain.stat(zip))?.sizeBytes ?? 0
  if (unpacked <= Math.max(harmlessBytes, packed * mostUnpacked)) return
  throw new AppError(
    'bad-argument',
    `${path.basename(zip)} unpacks to more than ${mostUnpacked} times its size. Unpack it, then import its folder.`,
  )
}
