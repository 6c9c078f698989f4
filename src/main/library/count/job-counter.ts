import type { SourceId } from '../../../shared/model/conversation/sources'
import type { Disk } from '../../disk/interface/disk'
import { ReadBuffers } from '../../disk/reading/read-buffers'
import type { HistoryReader } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import { lineDriftCheck } from '../../readers/known/line-drift'
import type { TranscriptFile } from '../../store/transcript-files'
import { countFileLines } from './count-lines'
import { type CountLine, foreignLineCount, ourLineCount } from './counted-line'
import { SharedLines } from './shared-lines'
import type { TallyCounts } from './tally'

/** Files of lines that are counted as one conversation. Plain data: it crosses to a thread. */
export interface CountJob {
  readonly source: SourceId
  /** The conversation, in files that others share. */
  readonly key: string
  readonly files: readonly TranscriptFile[]
}

/** Creates a function that counts jobs, and caches for a while the files that later jobs share with earlier ones. */
export function jobCounter(
  disk: Disk,
): (job: CountJob, signal?: AbortSignal) => Promise<TallyCounts> {
  const buffers = new ReadBuffers()
  const tools = { buffers, shared: new SharedLines(buffers) }
  return async ({ source, key, files }, signal) => {
    const job = { files, key, countLine: countLineOf(source) }
    return (await countFileLines(disk, job, tools, signal)).counts
  }
}

function countLineOf(source: SourceId): CountLine {
  const { meaningOf, countOf, known } = readerOf(source)
  const check = lineDriftCheck(known)
  if (source === 'chibi') return ourLineCount(check)
  if (meaningOf === undefined) throw new Error(`${source} has no files of lines`)
  return foreignLineCount(meaningOf, countOf, check)
}

function readerOf(source: SourceId): HistoryReader {
  const reader = readers.find(({ id }) => id === source)
  if (reader === undefined) throw new Error(`${source} has no reader`)
  return reader
}
