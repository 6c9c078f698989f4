import path from 'node:path'
import { countWithNoun } from '../../../shared/model/basics/plural'
import { isNameTaken } from '../../disk/reading/read'
import { appendDurably } from '../../disk/writing/append'
import { createFile, moveToFreeName, temporaryName, withTemporary } from '../../disk/writing/atomic'
import { copyFile } from '../../disk/writing/copy-file'
import { makeDurableFolder } from '../../disk/writing/durable-folder'
import { homeRelativePath } from '../core/home-paths'
import type { WritingScope } from '../core/writing-scope'
import type { ContextFiles, TranscriptFile } from '../files/context-files'
import {
  findWindowOnlyLines,
  readLineBytes,
  type WindowOnlyLine,
  windowEndDiffers,
} from '../files/window-only-lines'
import { FileMovedError } from '../lines/file-facts'

const lineFeed = Buffer.from('\n')

/**
 * Moves lines that only context.jsonl has into the transcript, before context.jsonl is rewritten to follow it. Where
 * there is no transcript, a copy of context.jsonl becomes the active partition, under its name once it is complete;
 * else the lines that the transcript lacks are appended, byte for byte. Durable on return, with a notice.
 *
 * Reads the ends of both first, and compares all only where these differ, or where chibi has asked for a new window.
 *
 * @returns whether the transcript has changed
 * @throws FileMovedError, DiskError
 */
export async function absorbWindow(
  scope: WritingScope,
  { files, window, activePath }: ContextFiles,
): Promise<boolean> {
  const { disk, paths } = scope
  if (window === undefined || window.sizeBytes === 0) return false
  // A page for people, which a transcript would hide in any case, holds older text.
  if (files.every(({ kind }) => kind === 'document')) {
    await makeDurableFolder(disk, path.dirname(activePath))
    await copyTo(scope, window, activePath)
    scope.noticed('The transcript was missing: it now begins with the lines of context.jsonl.')
    return true
  }
  const options = { disk, name: paths.name, window, files }
  if (!(await isToBeMade(scope)) && !(await windowEndDiffers(options))) return false
  const { lines } = await findWindowOnlyLines(options)
  if (lines.length === 0) return false
  const bytes = await joined(scope, window, lines)
  await appendDurably(disk, activePath, bytes, { like: [window.path] })
  scope.noticed(
    `${counted(lines)} found only in context.jsonl, as after a power failure or in a partial copy, went into the transcript.`,
  )
  return true
}

/**
 * Keeps lines that only context.jsonl has, right before it is replaced: as a partition, which is read at its place in
 * time, and which the next writer adds to the manifest.
 *
 * @throws FileMovedError, DiskError
 */
export async function keepReplacedWindow(
  scope: WritingScope,
  files: readonly TranscriptFile[],
): Promise<void> {
  const { disk, home, paths } = scope
  const stat = await disk.stat(paths.window)
  if (stat?.kind !== 'file' || stat.sizeBytes === 0) return
  const place = homeRelativePath(home, paths.window)
  const window = { ...stat, path: paths.window, place, kind: 'window' as const }
  const { lines } = await findWindowOnlyLines({ disk, name: paths.name, window, files })
  if (lines.length === 0) return
  await makeDurableFolder(disk, paths.partitions)
  const bytes = Buffer.concat([await joined(scope, window, lines), lineFeed])
  const kept = await createPartition(scope, spanOf(lines), bytes)
  scope.noticed(`${counted(lines)} found only in context.jsonl went into ${path.basename(kept)}.`)
}

/** Whether chibi has asked for a new window, or a compaction was interrupted. */
async function isToBeMade({ disk, paths }: WritingScope): Promise<boolean> {
  const marks = [paths.dirty, path.join(paths.folder, 'compacting.skein.json')]
  return (await Promise.all(marks.map(disk.stat))).some((stat) => stat !== undefined)
}

async function joined(
  { disk }: WritingScope,
  window: TranscriptFile,
  lines: readonly WindowOnlyLine[],
): Promise<Buffer> {
  const pieces: Uint8Array[] = []
  // One line can hold several entries.
  const once = new Map(lines.map((line) => [line.offset, line]))
  for await (const bytes of readLineBytes(disk, window, once.values())) pieces.push(bytes, lineFeed)
  return Buffer.concat(pieces.slice(0, -1))
}

async function copyTo(scope: WritingScope, from: TranscriptFile, to: string): Promise<void> {
  const { disk } = scope
  const temporary = temporaryName(to)
  await withTemporary(disk, temporary, async () => {
    await copyFile(disk, from.path, temporary)
    await moveToFreeName(disk, temporary, to).catch((error: unknown) => {
      throw isNameTaken(error) ? new FileMovedError(`${to} came while it was made`) : error
    })
  })
  await disk.syncFolder(path.dirname(to))
}

async function createPartition(
  { disk, paths }: WritingScope,
  span: string,
  bytes: Uint8Array,
): Promise<string> {
  for (let n = 1; ; n++) {
    const target = path.join(paths.partitions, `${span}${n === 1 ? '' : `-${n}`}.jsonl`)
    try {
      await createFile(disk, target, bytes, { like: [paths.window] })
      return target
    } catch (error) {
      if (!isNameTaken(error)) throw error
    }
  }
}

function spanOf(lines: readonly WindowOnlyLine[]): string {
  const times = lines.flatMap(({ seconds }) => (seconds === undefined ? [] : [seconds]))
  const whole = (seconds: number | undefined) => Math.max(0, Math.floor(seconds ?? 0))
  return `${whole(times[0])}-${whole(times.at(-1))}`
}

function counted({ length }: readonly WindowOnlyLine[]): string {
  return countWithNoun(length, 'line')
}
