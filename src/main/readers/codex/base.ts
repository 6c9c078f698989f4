import path from 'node:path'
import { AppError } from '../../../shared/model/basics/errors'
import type { UnreadPart } from '../../../shared/model/conversation/reading'
import type { Disk, DiskFile } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { inListedFile } from '../common/found-files'
import type { SourceFile, SourceRef } from '../common/reader'
import { placeOf } from './files'
import { type HistoryBase, objectsIn, readHead } from './head'
import { codexHomeOf, isPackedName, rolloutFolders, threadIdOf } from './home'

/**
 * Adds the beginning of a thread that goes on from others (`history_base`): the parts of their files that are before it,
 * the oldest first. A beginning that is gone, or shorter than it was, is in `unread`.
 *
 * @throws AppError `unreadable`, `not-found`
 */
export async function withBeginning(
  ref: SourceRef,
  disk: Disk,
  signal: AbortSignal,
): Promise<SourceRef> {
  const [own, ...further] = ref.files
  const isWhole = further.length > 0 || ref.unread !== undefined
  if (own === undefined || isWhole) return ref
  const file = path.join(ref.root, own.file)
  const base = await inListedFile(
    disk,
    file,
    async (opened) => (await readHead(opened, signal))?.base,
  )
  if (base === undefined) return ref
  const { parts, unread } = await beginningFrom(ref, base, disk, signal)
  return { ...ref, files: [...parts, own], ...(unread.length === 0 ? {} : { unread }) }
}

interface Parts {
  readonly parts: readonly SourceFile[]
  readonly unread: readonly UnreadPart[]
}

async function beginningFrom(
  { root, key }: SourceRef,
  nearest: HistoryBase,
  disk: Disk,
  signal: AbortSignal,
): Promise<Parts> {
  const files = await threadFiles(codexHomeOf(root), disk, signal)
  const parts: SourceFile[] = []
  const seen = new Set([key])
  let base: HistoryBase | undefined = nearest
  while (base !== undefined) {
    const { thread } = base
    const file = files.get(thread)
    // A thread that is its own beginning, also over others, would never end.
    if (file === undefined || seen.has(thread)) return { parts, unread: [gone(thread)] }
    seen.add(thread)
    const found: BeginningPart | AppError = await partOf(base, { root, file }, disk, signal).catch(
      failedPart,
    )
    if (found instanceof AppError) {
      const { message: sentence } = found
      const lost = { file: placeOf(root, file), fromByte: 0, cause: 'failed', sentence } as const
      return { parts, unread: [lost] }
    }
    parts.unshift(found.part)
    if (found.isCut) return { parts, unread: [cut(thread, found.part)] }
    base = found.before
  }
  return { parts, unread: [] }
}

function failedPart(error: unknown): AppError {
  if (error instanceof AppError) return error
  throw error
}

interface BeginningPart {
  readonly part: SourceFile
  readonly isCut: boolean
  readonly before: HistoryBase | undefined
}

/** The part of a thread's file that is a beginning, and where that one begins itself. */
async function partOf(
  { thread, endByte, endOrdinal }: HistoryBase,
  { root, file }: { readonly root: string; readonly file: string },
  disk: Disk,
  signal: AbortSignal,
): Promise<BeginningPart> {
  return inListedFile(disk, file, async (opened) => {
    const { sizeBytes, mtimeMs, identity } = await opened.stat()
    const end = endByte ?? (await offsetOf(endOrdinal, opened, signal)) ?? sizeBytes
    const part = {
      file: placeOf(root, file),
      bytes: sizeBytes,
      mtimeMs,
      identity,
      idSuffix: `@${thread}`,
      part: { offset: 0, line: 1, end: Math.min(end, sizeBytes) },
    }
    const head = await readHead(opened, signal)
    return { part, isCut: end > sizeBytes, before: head?.base }
  })
}

/** The rollouts of all threads, by id; the plain one where there are two. */
async function threadFiles(
  home: string,
  disk: Disk,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const { folder, names } of rolloutFolders(disk, home, signal))
    for (const name of names) {
      const id = threadIdOf(name)
      if (id === undefined) continue
      const before = found.get(id)
      const isFirst = before === undefined || (isPackedName(before) && !isPackedName(name))
      if (isFirst) found.set(id, path.join(folder, name))
    }
  return found
}

/** Finds the byte at which the first line with this ordinal begins, or a later one; undefined where none does. */
async function offsetOf(
  ordinal: number | undefined,
  file: DiskFile,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (ordinal === undefined) return undefined
  for await (const lines of readLines(file, { signal }))
    for (const line of lines)
      for (const value of await objectsIn(line))
        if (typeof value.ordinal === 'number' && value.ordinal >= ordinal) return line.offset
  return undefined
}

function gone(thread: string): UnreadPart {
  const sentence = `The beginning is in the thread ${thread}, which is not there.`
  return { file: thread, fromByte: 0, cause: 'missing', sentence }
}

function cut(thread: string, { file, bytes: fromByte }: SourceFile): UnreadPart {
  const sentence = `The beginning is in the thread ${thread}, whose file is shorter than it was.`
  return { file, fromByte, cause: 'missing', sentence }
}
