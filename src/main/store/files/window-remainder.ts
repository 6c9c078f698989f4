import { largestOf } from '../../../shared/model/basics/long-lists'
import { plural } from '../../../shared/model/basics/plural'
import type { Disk } from '../../disk/interface/disk'
import type { TranscriptFile } from '../core/transcript-file'
import { findWindowOnlyLines, windowEndDiffers } from './window-only-lines'

/** The condition under which context.jsonl is read for lines that the transcript does not have. */
export type WindowCheck =
  /** Where by its size or its time it may be ahead: for lists of many contexts. */
  | 'where-it-seems-ahead'
  /** Where it ends with another entry: for reading one context. */
  | 'where-it-ends-otherwise'
  /** For a writer, which makes the window follow the transcript. */
  | 'never'

/** The part of a transcript that only context.jsonl has, with a notice about it. */
export interface WindowRemainder {
  readonly file: TranscriptFile
  readonly notice: string
}

/** A larger window is not compared for reading, which would wait too long; for writing it always is. */
const largestCompared = 32 * 1024 * 1024
/** A transcript is read back at least so far, in bytes. */
const leastBytesBack = 4 * 1024 * 1024
/** In ordinary writing context.jsonl follows the transcript within so much time, or lies behind it. */
const togetherMs = 2000

/**
 * Finds the part of context.jsonl that belongs to the conversation because the transcript lacks it: all of it where
 * the transcript is missing or empty, its end where the transcript was cut off or is an older copy. Undefined where
 * there is none.
 *
 * @param window undefined where there is no such file
 * @param notFiles words about what stands in the transcript's place
 * and is no file
 * @throws FileMovedError, DiskError
 */
export async function findWindowRemainder(
  disk: Disk,
  name: string,
  window: TranscriptFile | undefined,
  files: readonly TranscriptFile[],
  check: WindowCheck,
  notFiles: readonly string[] = [],
): Promise<WindowRemainder | undefined> {
  if (window === undefined || window.sizeBytes === 0 || check === 'never') return undefined
  const bytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  if (bytes === 0) {
    // A thing in the place of the transcript is named, and does not hide the lines that are left.
    const why = notFiles.length === 0 ? 'The transcript is missing' : notFiles.join('; ')
    return {
      file: window,
      notice: `${why}. Only the current context window is left, and is read from context.jsonl.`,
    }
  }
  const newestMs = largestOf(files.map(({ mtimeMs }) => mtimeMs))
  const seemsAhead = window.sizeBytes > bytes || window.mtimeMs > newestMs + togetherMs
  if (check === 'where-it-seems-ahead' && !seemsAhead) return undefined
  if (window.sizeBytes > largestCompared) return undefined
  const withinBytes = Math.max(leastBytesBack, 2 * window.sizeBytes)
  const options = { disk, name, window, files, withinBytes }
  if (!(await windowEndDiffers(options))) return undefined
  const { lines, atEnd } = await findWindowOnlyLines(options)
  const first = lines[lines.length - atEnd]
  if (first === undefined) return undefined
  const { offset, line } = first
  const many = `The last ${plural(atEnd, 'line is', `${atEnd} lines are`)}`
  return {
    file: { ...window, begin: { offset, line } },
    notice: `${many} only in context.jsonl: the transcript ends earlier, as after a power failure or in a partial copy.`,
  }
}
