import type { Disk } from '../../disk/interface/disk'
import { readLines } from '../../disk/reading/lines'
import type { ReadBuffers } from '../../disk/reading/read-buffers'
import { unpackGap } from '../../readers/common/json-lines'
import { LineCopies } from '../../readers/common/line-copies'
import { openUnmoved, type TranscriptFile } from '../../store/transcript-files'
import { type CountedLine, type CountLine, controlLine } from './counted-line'
import { DriftTally } from './drift-tally'
import type { SharedLines } from './shared-lines'
import { CountTally } from './tally'

/** The cache of shared lines and the buffers that counts of several conversations share. */
export interface CountingTools {
  readonly shared: SharedLines
  readonly buffers: ReadBuffers
}

/** The files of a conversation whose lines are counted, with the format's counter. */
export interface LinesJob {
  readonly files: readonly TranscriptFile[]
  readonly countLine: CountLine
  /** The conversation, in files that others share. */
  readonly key: string
}

/**
 * Counts files of one JSON value per line, without positions: a fraction of the time of a full read.
 *
 * @throws FileMovedError, DiskError
 */
export async function countFileLines(
  disk: Disk,
  { files, countLine, key }: LinesJob,
  { shared, buffers }: CountingTools,
  signal?: AbortSignal,
): Promise<CountTally> {
  const tally = new CountTally(new DriftTally())
  for (const file of files) {
    tally.begin(file.place, file.begin?.line)
    const opened = await openUnmoved(disk, file)
    try {
      const lines = await shared.linesIn(opened, file, countLine, signal)
      if (lines !== undefined) for (const line of lines) tally.addLine(line, key, line.offset)
      else
        await buffers.use(async (buffer) => {
          const copies = new LineCopies()
          for await (const some of readLines(opened, { buffer, ...partOf(file), signal }))
            for (const line of some) {
              const counted: CountedLine = countLine(line)
              const asked = copies.isCopy(opened, line, counted.record)
              const isCopy: boolean = asked instanceof Promise ? await asked : asked
              tally.addLine(isCopy ? controlLine : counted, key, line.offset)
            }
        })
      const gap = unpackGap(opened, file.place, file.sizeBytes)
      if (gap !== undefined) tally.broken.push(gap.part.sentence)
    } finally {
      await opened.close()
    }
    tally.files += 1
  }
  return tally
}

function partOf({ begin, sizeBytes }: TranscriptFile): { from?: number; to?: number } {
  return begin === undefined ? {} : { from: begin.offset, to: sizeBytes }
}
