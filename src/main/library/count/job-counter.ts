import type { SourceId } from '../../../shared/model/conversation/sources'
import type { Disk } from '../../disk/interface/disk'
import { ReadBuffers } from '../../disk/reading/read-buffers'
import { readers } from '../../readers/index'
import { lineDriftCheck } from '../../readers/known/line-drift'
import type { TranscriptFile } from '../../store/transcript-files'
import { countFileLines } from './count-lines'
import { type CountLine, countOurLine, foreignLineCount } from './counted-line'
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
    const known = readers.find(({ id }) => id === source)?.known
    const job = { files, key, countLine: countLineOf(source), isChecked: known !== undefined }
    return (await countFileLines(disk, job, tools, signal)).counts
  }
}

function countLineOf(source: SourceId): CountLine {
  if (source === 'chibi') return countOurLine
  const reader = readers.find(({ id }) => id === source)
  if (reader?.meaningOf === undefined) throw new Error(`${source} has no files of lines`)
  const { meaningOf, countOf, known } = reader
  return foreignLineCount(meaningOf, countOf, known && lineDriftCheck(known))
}
