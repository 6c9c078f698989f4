import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { namesInFolder, readSmallFile, readSmallText } from '../../disk/reading/read'
import { removeIfThere, replaceFile } from '../../disk/writing/atomic'

const StoredProgress = z.object({
  /** Bytes from its beginning that are done. */
  handled: z.number().int().nonnegative(),
  /** Of these bytes, in hex: progress counts for no other file. */
  sha256: z.string(),
  sizeBytes: z.number(),
  mtimeMs: z.number(),
})
/** The progress of an inbox that was moved aside, and the file's size and time right before it was read. */
export type AsideProgress = z.infer<typeof StoredProgress>
/** By the file's name. */
type AsideProgressByName = ReadonlyMap<string, AsideProgress>

/** An inbox that was moved aside: a process that had it open before may still write to it. */
export interface AsideInbox {
  readonly name: string
  readonly path: string
  readonly stat: FileStat
  readonly bytes: Uint8Array
  /** Offset of the first line that is not done. */
  readonly handled: number
  /** Nothing was written to it since its progress was recorded. */
  readonly isQuiet: boolean
}

const asideName = /^inbox\.sorting(?:-(\d{1,9}))?\.skein\.jsonl$/

/**
 * Lists the inboxes in a context's folder that were moved aside, by their numbers.
 *
 * @throws DiskError
 */
export async function listAsideInboxes(disk: Disk, folder: string): Promise<readonly string[]> {
  const names = (await namesInFolder(disk, folder)).filter((name) => asideName.test(name))
  return names.sort((a, b) => numberOf(a) - numberOf(b))
}

function numberOf(name: string): number {
  return Number(asideName.exec(name)?.[1] ?? 1)
}

/**
 * Returns the first name for an inbox moved aside that is not in `taken`: names of files, and of progress that is
 * still recorded.
 */
export function freeAsideName(taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'inbox.sorting.skein.jsonl' : `inbox.sorting-${n}.skein.jsonl`
    if (!taken.has(name)) return name
  }
}

/**
 * Reads an inbox that was moved aside; undefined where it is gone. Progress counts only while the bytes that it covers
 * are unchanged.
 *
 * @throws DiskError
 */
export async function readAsideInbox(
  disk: Disk,
  folder: string,
  name: string,
  progress: AsideProgress | undefined,
): Promise<AsideInbox | undefined> {
  const target = path.join(folder, name)
  // The stat comes before the reading: a write between them makes it differ from the recorded one.
  const stat = await disk.stat(target)
  const bytes = stat && (await readSmallFile(disk, target))
  if (stat === undefined || bytes === undefined) return undefined
  const isKnown =
    progress !== undefined && digest(bytes.subarray(0, progress.handled)) === progress.sha256
  const isQuiet =
    isKnown &&
    progress.sizeBytes === stat.sizeBytes &&
    progress.mtimeMs === stat.mtimeMs &&
    bytes.length === stat.sizeBytes
  return { name, path: target, stat, bytes, handled: isKnown ? progress.handled : 0, isQuiet }
}

/** Returns the progress of an inbox whose first `handled` bytes are done. */
export function toAsideProgress({ bytes, stat }: AsideInbox, handled: number): AsideProgress {
  const { sizeBytes, mtimeMs } = stat
  return { handled, sha256: digest(bytes.subarray(0, handled)), sizeBytes, mtimeMs }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/**
 * Reads the progress of each inbox moved aside; none where the file is missing or damaged, and a bad item is left out:
 * then that inbox is read again, as after a crash.
 *
 * @throws DiskError
 */
export async function readAsideProgress(disk: Disk, file: string): Promise<AsideProgressByName> {
  try {
    const text = await readSmallText(disk, file)
    const found = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text ?? '{}')).data
    const all = Object.entries(found ?? {}).flatMap(([name, one]) => {
      const progress = StoredProgress.safeParse(one).data
      return progress === undefined ? [] : [[name, progress] as const]
    })
    return new Map(all)
  } catch (error) {
    if (error instanceof SyntaxError) return new Map()
    throw error
  }
}

/**
 * Replaces the recorded progress, durably; without any, removes the file.
 *
 * @throws DiskError
 */
export async function writeAsideProgress(
  disk: Disk,
  file: string,
  progress: AsideProgressByName,
): Promise<void> {
  if (progress.size === 0) return removeIfThere(disk, file)
  await replaceFile(disk, file, Buffer.from(JSON.stringify(Object.fromEntries(progress))))
}
