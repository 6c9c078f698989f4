import { Gap } from '../../../shared/model/conversation/reading'
import type { Disk } from '../../disk/interface/disk'
import { chunkBytesFor, readLines, readLinesBackward } from '../../disk/reading/lines'
import type { MissingFile, TranscriptFile } from '../core/transcript-file'
import type { Position } from './cursor'
import { FileMovedError, openUnmoved } from './file-facts'
import { readLegacyDocument } from './legacy-document'
import { decodeLineFact, type LineDecode, type LineFact } from './line-facts'
import { countLineFeeds } from './raw-line'

/** A line between two positions: `from` begins it, `to` begins the next. */
export interface LineStep {
  readonly fact: LineFact
  readonly from: Position
  readonly to: Position
}

/**
 * Reads lines before a position, newest first. Reads little more than what is used.
 *
 * @param isNumbered counts the lines of earlier files too, which costs reading every byte of them
 *
 * @throws FileMovedError also where a file was cut while it was read; DiskError
 */
export async function* stepsBackward(
  disk: Disk,
  context: string,
  files: readonly TranscriptFile[],
  position: Position,
  signal: AbortSignal | undefined,
  decode: LineDecode = decodeLineFact,
  isNumbered = false,
): AsyncGenerator<LineStep> {
  for (let index = position.file; index >= 0; index--) {
    const file = files[index]
    if (file === undefined) continue
    const before = index === position.file ? position.offset : Number.POSITIVE_INFINITY
    // Only from a position whose number is known can be counted down.
    let next = index === position.file ? position.line : undefined
    if (file.kind === 'document') {
      yield* (await documentSteps(disk, context, file, index)).slice(0, before).reverse()
      continue
    }
    const begin = file.begin?.offset ?? 0
    const opened = await openUnmoved(disk, file)
    try {
      const end = Math.min(before, file.sizeBytes)
      if (isNumbered && next === undefined) next = 1 + (await countLineFeeds(opened, end))
      let reached = end
      reading: for await (const lines of readLinesBackward(opened, end, signal ? { signal } : {})) {
        for (const line of lines) {
          reached = line.offset
          if (line.offset < begin) break reading
          const number = next !== undefined && line.ended ? next - 1 : next
          const coming = decode(file.place, line, number)
          const fact = coming instanceof Promise ? await coming : coming
          const to = line.offset + line.length + (line.ended ? 1 : 0)
          yield { fact, from: at(index, line.offset, number), to: at(index, to, next) }
          next = number
        }
      }
      if (reached > begin) throw wasCut(file)
    } finally {
      await opened.close()
    }
  }
}

/** The file is shorter than it was: the reader finds the files again. */
function wasCut({ path }: TranscriptFile): FileMovedError {
  return new FileMovedError(`${path} was cut while it was read`)
}

/**
 * Reads lines from a position on, in order.
 *
 * @throws FileMovedError also where a file was cut while it was read; DiskError
 */
export async function* stepsForward(
  disk: Disk,
  context: string,
  files: readonly TranscriptFile[],
  position: Position,
  signal: AbortSignal | undefined,
  decode: LineDecode = decodeLineFact,
): AsyncGenerator<LineStep> {
  for (let index = position.file; index < files.length; index++) {
    const file = files[index]
    if (file === undefined) continue
    const begin = file.begin ?? { offset: 0, line: 1 }
    const from = index === position.file ? position.offset : begin.offset
    let number = index === position.file ? position.line : begin.line
    if (file.kind === 'document') {
      yield* (await documentSteps(disk, context, file, index)).slice(from)
      continue
    }
    const opened = await openUnmoved(disk, file)
    try {
      let reached = from
      const chunkBytes = chunkBytesFor(file.sizeBytes - from)
      for await (const lines of readLines(opened, {
        from,
        ...(file.begin === undefined ? {} : { to: file.sizeBytes }),
        chunkBytes,
        ...(signal ? { signal } : {}),
      })) {
        for (const line of lines) {
          const coming = decode(file.place, line, number)
          const fact = coming instanceof Promise ? await coming : coming
          const to = line.offset + line.length + (line.ended ? 1 : 0)
          // What comes after a line without an end still belongs to it: its line feed, at the least.
          const next = number !== undefined && line.ended ? number + 1 : number
          yield { fact, from: at(index, line.offset, number), to: at(index, to, next) }
          number = next
          reached = to
        }
      }
      if (reached < file.sizeBytes) throw wasCut(file)
    } finally {
      await opened.close()
    }
  }
}

async function documentSteps(
  disk: Disk,
  context: string,
  file: TranscriptFile,
  index: number,
): Promise<readonly LineStep[]> {
  const { facts } = await readLegacyDocument(disk, file, context)
  return facts.map((fact, i) => ({ fact, from: at(index, i), to: at(index, i + 1) }))
}

function at(file: number, offset: number, line?: number): Position {
  return { file, offset, line }
}

/**
 * Lists the missing files between two files as gaps, in reading order: the file at `from` was read, the one at `to`
 * comes next.
 */
export function* gapsBetween(
  missing: readonly MissingFile[],
  from: number,
  to: number,
): Generator<Gap> {
  const passed = missing.filter(
    ({ before }) => before > Math.min(from, to) && before <= Math.max(from, to),
  )
  for (const { part } of to < from ? passed.reverse() : passed) yield new Gap(part)
}
