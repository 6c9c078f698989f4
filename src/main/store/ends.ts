import type { EntryDraft } from '../../shared/model/entry'
import type { Disk, DiskFile } from '../disk/disk'
import { type RawLine, readLines, readLinesBackward } from '../disk/lines'
import type { TranscriptFile } from './context-files'
import { decodeLine } from './entry-line'
import { fileFacts, openSame } from './file-facts'

/** When the first and the last entry of a transcript were said, in Unix seconds; undefined where none near the end tells. */
export interface TranscriptEnds {
  readonly first: number | undefined
  readonly last: number | undefined
}

/** Lines looked at from either end of a file: some are damaged or have no time. */
const lookAt = 8
const chunkBytes = 16 * 1024

/**
 * Reads the times at both ends of a transcript: a short read of each, whatever the size. The first is left out unless
 * asked for.
 *
 * @throws FileMoved, DiskError
 */
export async function readEnds(
  disk: Disk,
  files: readonly TranscriptFile[],
  withFirst: boolean,
): Promise<TranscriptEnds> {
  return {
    first: withFirst ? await firstOf(files, (file) => firstTime(disk, file)) : undefined,
    last: await firstOf([...files].reverse(), (file) => lastTime(disk, file)),
  }
}

async function firstOf(
  files: readonly TranscriptFile[],
  timeOf: (file: TranscriptFile) => Promise<number | undefined>,
): Promise<number | undefined> {
  for (const file of files) {
    const time = file.sizeBytes === 0 ? undefined : await timeOf(file)
    if (time !== undefined) return time
  }
  return undefined
}

function firstTime(disk: Disk, file: TranscriptFile): Promise<number | undefined> {
  return timeIn(disk, file, 0, (opened) =>
    readLines(opened, { chunkBytes: Math.min(file.sizeBytes + 1, chunkBytes) }),
  )
}

function lastTime(disk: Disk, file: TranscriptFile): Promise<number | undefined> {
  return timeIn(disk, file, -1, (opened) => readLinesBackward(opened, file.sizeBytes))
}

async function timeIn(
  disk: Disk,
  file: TranscriptFile,
  at: number,
  lines: (opened: DiskFile) => AsyncIterable<readonly RawLine[]>,
): Promise<number | undefined> {
  if (file.kind === 'document') return (await documentTimes(disk, file)).at(at)
  const opened = await openSame(disk, file)
  try {
    return await timeAmong(lines(opened))
  } finally {
    await opened.close()
  }
}

/** chibi's oldest files are small and one JSON value: there is no reading of an end alone. */
async function documentTimes(disk: Disk, file: TranscriptFile): Promise<readonly number[]> {
  const times: number[] = []
  for await (const facts of fileFacts(disk, file, ''))
    for (const row of facts.flatMap((fact) => fact.rows))
      if (row.type === 'entry' && row.entry.timestamp !== null) times.push(row.entry.timestamp)
  return times
}

async function timeAmong(batches: AsyncIterable<readonly RawLine[]>): Promise<number | undefined> {
  let seen = 0
  for await (const lines of batches)
    for (const line of lines) {
      const entry = entryOf(line)
      if (entry?.timestamp != null) return entry.timestamp
      seen += 1
      if (seen === lookAt) return undefined
    }
  return undefined
}

function entryOf(line: RawLine): EntryDraft | undefined {
  const decoded = decodeLine(line)
  if (decoded.type === 'entry') return decoded.draft
  return decoded.type === 'damaged' ? decoded.recovered.at(-1) : undefined
}
