import { z } from 'zod'
import { countWithNoun } from '../../../shared/model/basics/plural'
import type { DiskFile } from '../../disk/interface/disk'
import { defineTool, ToolRefusal } from '../base/define-tool'
import type { Tool } from '../base/tool'
import type { AllowedPaths } from './allowed-paths'
import {
  assertTextFile,
  fileTimeLimitMs,
  findLine,
  type LinesText,
  readLastLines,
  readLinesFrom,
} from './file-text'
import { findKeptOutput, type KeptOutputFolder } from './kept-output'
import { openResolvedPath, type ResolvedPath, resolveToolPath } from './resolve-path'

/** Lines that are read where the model gives no number. */
const usualLines = 50
const mostLines = 100_000
const lastLine = 1_000_000_000

/** The text that is meant: a file of the allowed folders, or a kept output. */
interface AskedText {
  readonly path?: string | undefined
  readonly cache_id?: string | undefined
}

/** Returns the arguments that name a text: a path, or the id of a kept output. */
export function textArgs({ allowedPaths }: AllowedPaths) {
  const where = 'absolute or below the first allowed folder'
  const open = allowedPaths.length > 0
  return {
    path: z
      .string()
      .optional()
      .describe(open ? `Path of the file, ${where}` : 'No folder is open to the file tools'),
    cache_id: z.string().optional().describe('In place of a path: the id of a cached output'),
  }
}

const linesArg = (what: string) =>
  z.int().min(1).max(mostLines).optional().describe(`How many lines; ${usualLines} ${what}`)

/** Returns file_head, file_tail and file_lines. `fits` is the most characters of a file's text. */
export function readingTools(
  allowed: AllowedPaths,
  kept: KeptOutputFolder,
  fits: number,
): readonly Tool[] {
  const textArg = textArgs(allowed)
  const reading = (
    asked: AskedText,
    work: (file: DiskFile, place: ResolvedPath) => Promise<string>,
  ) => withTextFile(allowed, kept, asked, work)
  return [
    defineTool({
      name: 'file_head',
      description: 'Reads the first lines of a text file.',
      effect: 'reads',
      args: z.strictObject({ ...textArg, lines: linesArg('otherwise') }),
      run: ({ lines = usualLines, ...asked }, signal) =>
        reading(asked, async (file, { shown }) => {
          const found = await readLinesFrom(file, 0, lines, fits, signal)
          return withNote(found, shown, `file_lines reads on from line ${next(1, found)}`)
        }),
    }),
    defineTool({
      name: 'file_tail',
      description: 'Reads the last lines of a text file.',
      effect: 'reads',
      args: z.strictObject({ ...textArg, lines: linesArg('otherwise') }),
      run: ({ lines = usualLines, ...asked }, signal) =>
        reading(asked, async (file, { shown }) => {
          const { sizeBytes } = await file.stat()
          const found = await readLastLines(file, sizeBytes, lines, fits, signal)
          return withNote(found, shown, 'file_lines reads the lines before')
        }),
    }),
    defineTool({
      name: 'file_lines',
      description: 'Reads lines of a text file by their numbers, from 1, both ends included.',
      effect: 'reads',
      args: z.strictObject({
        ...textArg,
        start: z.int().min(1).max(lastLine).describe('The first line, from 1'),
        end: z.int().min(1).max(lastLine).describe('The last line'),
      }),
      run: ({ start, end, ...asked }, signal) =>
        reading(asked, async (file, { shown }) => {
          if (end < start) throw new ToolRefusal(`end ${end} is before start ${start}`)
          const begin = await findLine(file, start, performance.now() + fileTimeLimitMs, signal)
          if ('late' in begin)
            throw new ToolRefusal(
              `stopped after ${fileTimeLimitMs / 1000} seconds, at line ${begin.late + 1} of ${shown}: line ${start} is too far into it`,
            )
          if ('count' in begin && begin.count > 0)
            throw new ToolRefusal(
              `${shown} has ${countWithNoun(begin.count, 'line')}, no line ${start}`,
            )
          const from = 'offset' in begin ? begin.offset : 0
          const found = await readLinesFrom(file, from, end - start + 1, fits, signal)
          return withNote(found, shown, `read on from line ${next(start, found)}`)
        }),
    }),
  ]
}

/**
 * Opens a text file for the work and closes it afterwards.
 *
 * @throws ToolRefusal, DiskError
 */
export async function withTextFile<T>(
  allowed: AllowedPaths,
  kept: KeptOutputFolder,
  asked: AskedText,
  work: (file: DiskFile, place: ResolvedPath) => Promise<T>,
): Promise<T> {
  const { path, cache_id: id } = asked
  if ((path === undefined) === (id === undefined))
    throw new ToolRefusal('give either path or cache_id')
  const place =
    id === undefined ? await resolveToolPath(allowed, path ?? '') : await findKeptOutput(kept, id)
  // A kept output lies in our own folder; a backup may have linked it.
  const file = await openResolvedPath(allowed.disk, place, id !== undefined)
  try {
    await assertTextFile(file, place.shown)
    return await work(file, place)
  } finally {
    await file.close()
  }
}

/**
 * Returns the line from which to read on: the last line shown where only a part of it was, unless it alone is more
 * than fits.
 */
function next(start: number, { lines, text }: LinesText): number {
  return start + (text.endsWith('\n') ? lines : Math.max(1, lines - 1))
}

function withNote({ text, lines, isCut }: LinesText, shown: string, hint: string): string {
  if (text === '') return `(${shown} is empty)`
  if (!isCut) return text
  return `${text}\n[Cut: only ${countWithNoun(text.length, 'character')} fit, of ${countWithNoun(lines, 'line')}; ${hint}.]`
}
