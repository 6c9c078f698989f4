import { libraryKeyOf } from '../../../shared/model/conversation/conversation'
import type { SourceId } from '../../../shared/model/conversation/sources'
import type { Disk } from '../../disk/interface/disk'
import { glanceAt } from '../../readers/common/glance'
import type { Glance, SeenFile, SourceRef } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import { openStore } from '../../store/open-store'
import type { ContextListing, TranscriptEnds } from '../../store/store'
import { type ConversationCount, countByReading } from './count-by-reading'
import { type CountJob, jobCounter } from './job-counter'
import type { TallyCounts } from './tally'

/** A question to a worker that reads for the library. Plain data, as its answers are. */
export type DiskQuestion =
  | { readonly type: 'count'; readonly job: CountJob }
  | { readonly type: 'ends'; readonly home: string; readonly listing: ContextListing }
  | { readonly type: 'glance'; readonly ref: SourceRef }
  | { readonly type: 'whole'; readonly ref: SourceRef }
  | { readonly type: 'look'; readonly source: SourceId; readonly files: readonly SeenFile[] }

/** The answer to a `DiskQuestion` of the same type. */
export type DiskAnswer =
  | { readonly type: 'count'; readonly counts: TallyCounts }
  | { readonly type: 'ends'; readonly ends: TranscriptEnds }
  | { readonly type: 'glance'; readonly glance: Glance | undefined }
  | { readonly type: 'whole'; readonly count: ConversationCount }
  | { readonly type: 'look'; readonly found: readonly unknown[] }

/** Returns the function that answers a worker's questions from a disk. */
export function diskAnswers(
  disk: Disk,
): (question: DiskQuestion, signal: AbortSignal) => Promise<DiskAnswer> {
  const count = jobCounter(disk)
  return async (question, signal) => {
    switch (question.type) {
      case 'count':
        return { type: 'count', counts: await count(question.job, signal) }
      case 'ends': {
        const { home, listing } = question
        return { type: 'ends', ends: await openStore({ home, disk }).readEnds(listing) }
      }
      case 'glance': {
        const { ref } = question
        return { type: 'glance', glance: await glanceAt(readerOf(ref.source), ref, disk, signal) }
      }
      case 'whole': {
        const { ref } = question
        const history = {
          key: libraryKeyOf(ref.source, ref.key),
          reader: readerOf(ref.source),
          ref,
        }
        return { type: 'whole', count: await countByReading({ count }, disk, history, signal) }
      }
      case 'look': {
        const { source, files } = question
        return {
          type: 'look',
          found: (await readerOf(source).lookInto?.(files, disk, signal)) ?? [],
        }
      }
    }
  }
}

function readerOf(source: SourceId) {
  const reader = readers.find(({ id }) => id === source)
  if (reader === undefined) throw new Error(`${source} has no reader`)
  return reader
}
