import { createHash } from 'node:crypto'
import path from 'node:path'
import { z } from 'zod'
import type { Disk, FileStat } from '../../disk/interface/disk'
import { namesInFolder, readSmallFile, readSmallText } from '../../disk/reading/read'
import { removeIfThere, replaceFile } from '../../disk/writing/atomic'

/** How far an inbox that was moved aside is done with, and how it looked before it was read for that. */
const StoredProgress = z.object({
  /** So many bytes from its beginning are done with. */
  handled: z.number().int().nonnegative(),
  /** Of these bytes, in hex: a mark counts for no other file. */
  sha256: z.string(),
  sizeBytes: z.number(),
  mtimeMs: z.number(),
})
export type AsideProgress = z.infer<typeof StoredProgress>
/** By the file's name. */
type AsideProgressByName = ReadonlyMap<string, AsideProgress>

/** An inbox that was moved aside: who had it open before may write to it still. */
export interface AsideInbox {
  readonly name: string
  readonly path: string
  readonly stat: FileStat
  readonly bytes: Uint8Array
  /** Where what is not done with begins. */
  readonly handled: number
  /** Nothing was written to it since its mark was made. */
  readonly isQuiet: boolean
}

const asideName = /^inbox\.sorting(?:-(\d{1,9}))?\.skein\.jsonl$/

/** The files in a context's folder that were inboxes, in the order of their numbers. @throws DiskError */
export async function listAsideInboxes(disk: Disk, folder: string): Promise<readonly string[]> {
  const names = (await namesInFolder(disk, folder)).filter((name) => asideName.test(name))
  return names.sort((a, b) => numberOf(a) - numberOf(b))
}

function numberOf(name: string): number {
  return Number(asideName.exec(name)?.[1] ?? 1)
}

/** A name that none of them has, and that no mark of one that is gone stands for. */
export function freeAsideName(taken: ReadonlySet<string>): string {
  for (let n = 1; ; n++) {
    const name = n === 1 ? 'inbox.sorting.skein.jsonl' : `inbox.sorting-${n}.skein.jsonl`
    if (!taken.has(name)) return name
  }
}

/** Undefined where it is gone. @throws DiskError */
export async function readAsideInbox(
  disk: Disk,
  folder: string,
  name: string,
  mark: AsideProgress | undefined,
): Promise<AsideInbox | undefined> {
  const target = path.join(folder, name)
  // The look comes before the reading: what is written between them makes another look of it than the mark's.
  const stat = await disk.stat(target)
  const bytes = stat && (await readSmallFile(disk, target))
  if (stat === undefined || bytes === undefined) return undefined
  const isMarked = mark !== undefined && digest(bytes.subarray(0, mark.handled)) === mark.sha256
  const isQuiet =
    isMarked &&
    mark.sizeBytes === stat.sizeBytes &&
    mark.mtimeMs === stat.mtimeMs &&
    bytes.length === stat.sizeBytes
  return { name, path: target, stat, bytes, handled: isMarked ? mark.handled : 0, isQuiet }
}

export function toAsideProgress({ bytes, stat }: AsideInbox, handled: number): AsideProgress {
  const { sizeBytes, mtimeMs } = stat
  return { handled, sha256: digest(bytes.subarray(0, handled)), sizeBytes, mtimeMs }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** None where the file is missing or damaged, and a bad one costs itself alone: then all is read again, as after a crash. @throws DiskError */
export async function readAsideProgress(disk: Disk, file: string): Promise<AsideProgressByName> {
  try {
    const text = await readSmallText(disk, file)
    const found = z.record(z.string(), z.unknown()).safeParse(JSON.parse(text ?? '{}')).data
    const marks = Object.entries(found ?? {}).flatMap(([name, one]) => {
      const mark = StoredProgress.safeParse(one).data
      return mark === undefined ? [] : [[name, mark] as const]
    })
    return new Map(marks)
  } catch (error) {
    if (error instanceof SyntaxError) return new Map()
    throw error
  }
}

/** Durable on return. @throws DiskError */
export async function writeAsideProgress(
  disk: Disk,
  file: string,
  marks: AsideProgressByName,
): Promise<void> {
  if (marks.size === 0) return removeIfThere(disk, file)
  await replaceFile(disk, file, Buffer.from(JSON.stringify(Object.fromEntries(marks))))
}
