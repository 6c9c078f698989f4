import path from 'node:path'
import { z } from 'zod'
import type { Disk } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import { isNotFound } from '../../disk/reading/read'
import { appendDurably } from '../../disk/writing/append'
import { replaceFile } from '../../disk/writing/atomic'

/** The seal of a copy: what its bytes were when they were copied. */
export const BackupSeal = z.object({
  /** Below the place's folder, with slashes: `now/projects/a/b.jsonl`. */
  file: z.string().min(1),
  bytes: z.int().nonnegative(),
  /** Of these bytes, in hex. */
  sha256: z.string(),
  /** Its blocks are shared with the original's, as far as the file system keeps them so. */
  isShared: z.literal(true).optional(),
  /** The original as it was copied; absent where it changed meanwhile, so that it is compared again. */
  original: z.object({ identity: z.string(), bytes: z.number(), mtimeMs: z.number() }).optional(),
})
export type BackupSeal = z.infer<typeof BackupSeal>

/** A note that a copy is not there any more, because another one has the same bytes. */
const Dropped = z.object({ dropped: z.string().min(1) })

/** The seals of a place by file, and how many lines they take. */
export interface SealBook {
  readonly seals: Map<string, BackupSeal>
  lines: number
  /** Lines that are none, but for those of copies that were sealed again behind them. */
  damaged: number
}

/** The name of the file of a place's seals. */
export const sealsName = 'seals.jsonl'
/** Appended together, with one fsync. */
const batch = 64

/**
 * Reads the seals of a place; the last line of a file counts. A line that is none costs itself alone: its copy is compared
 * again.
 *
 * @throws DiskError
 */
export async function readBackupSeals(disk: Disk, folder: string): Promise<SealBook> {
  const book: SealBook = { seals: new Map(), lines: 0, damaged: 0 }
  /** How many damaged lines name each file. */
  const torn = new Map<string, number>()
  let opened: Awaited<ReturnType<Disk['open']>>
  try {
    opened = await disk.open(path.join(folder, sealsName), 'read')
  } catch (error) {
    if (isNotFound(error)) return book
    throw error
  }
  try {
    for await (const lines of readLines(opened, {}))
      for (const { bytes } of lines) {
        book.lines += 1
        const value = jsonIn(bytes)
        const seal = BackupSeal.safeParse(value).data
        const dropped = Dropped.safeParse(value).data?.dropped
        if (seal !== undefined) book.seals.set(seal.file, seal)
        if (dropped !== undefined) book.seals.delete(dropped)
        if (seal === undefined && dropped === undefined && bytes.length > 0) {
          book.damaged += 1
          const named = fileNamedIn(bytes)
          if (named !== undefined) torn.set(named, (torn.get(named) ?? 0) + 1)
        }
        const settled = seal?.file ?? dropped
        if (settled === undefined) continue
        book.damaged -= torn.get(settled) ?? 0
        torn.delete(settled)
      }
  } finally {
    await opened.close()
  }
  return book
}

/** A line that a crash cut off names its file first. */
function fileNamedIn(bytes: Uint8Array): string | undefined {
  const text = Buffer.from(bytes).toString('utf8')
  const [, quoted] = /^\{"file":("(?:[^"\\]|\\.)*")/.exec(text) ?? []
  const file = quoted === undefined ? undefined : jsonIn(Buffer.from(quoted))
  return typeof file === 'string' ? file : undefined
}

function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    return undefined // Torn by a crash.
  }
}

/** Appends seals to a place's file, some at a time. */
export interface SealWriter {
  add(seal: BackupSeal): Promise<void>
  /** Notes that a copy is not there any more. */
  drop(file: string): Promise<void>
  /** Makes all that was added durable. @throws DiskError */
  flush(): Promise<void>
}

/** Opens the writer of a place's seals, over what was read; `book` follows it. */
export function sealWriter(disk: Disk, folder: string, book: SealBook): SealWriter {
  const file = path.join(folder, sealsName)
  let waiting: string[] = []

  async function flush(): Promise<void> {
    if (waiting.length === 0) return
    const lines = waiting
    waiting = []
    await appendDurably(disk, file, Buffer.from(lines.join('\n')))
    book.lines += lines.length
  }

  async function put(line: object): Promise<void> {
    waiting.push(JSON.stringify(line))
    if (waiting.length >= batch) await flush()
  }

  return {
    add(seal) {
      book.seals.set(seal.file, seal)
      return put(seal)
    },
    drop(dropped) {
      book.seals.delete(dropped)
      return put({ dropped })
    },
    flush,
  }
}

/** Lines of a seal file that are let be before it is written anew. */
const spareLines = 1000

/**
 * Writes the seals anew where most lines of the file count no more, or some are damaged.
 *
 * @param isDone whether the work went through: before that a damaged line may be all that tells of a copy without a seal
 *
 * @throws DiskError
 */
export async function tidySeals(
  disk: Disk,
  folder: string,
  book: SealBook,
  isDone: boolean,
): Promise<void> {
  const isDue = book.lines > 2 * book.seals.size + spareLines
  if (!isDue && !(isDone && book.damaged > 0)) return
  const text = [...book.seals.values()].map((seal) => `${JSON.stringify(seal)}\n`).join('')
  await replaceFile(disk, path.join(folder, sealsName), Buffer.from(text))
  book.lines = book.seals.size
  book.damaged = 0
}
