import os from 'node:os'
import path from 'node:path'
import type { Disk } from '../../disk/interface/disk'
import { WorkerClient } from '../../disk/process/worker-client'
import { glanceAt } from '../../readers/common/glance'
import type { Glance, HistoryReader, LookElsewhere, SourceRef } from '../../readers/common/reader'
import { readers } from '../../readers/index'
import { parseRecordPath } from '../../records/interface/record-format'
import type { ContextListing, Store, TranscriptEnds } from '../../store/store'
import type { History } from '../sources/histories'
import type { ConversationCount } from './count-by-reading'
import type { DiskAnswer, DiskQuestion } from './disk-questions'
import { type CountJob, jobCounter } from './job-counter'
import { lookInThreads, threadOf } from './look-in-threads'
import type { TallyCounts } from './tally'

/** A reader of conversations for the library, in worker threads or in this one. */
export interface Counter {
  /** Jobs that can run at the same time. */
  readonly width: number
  /** Rejects where a file has moved or cannot be read, or the signal aborted. */
  count(job: CountJob, signal?: AbortSignal): Promise<TallyCounts>
  /** Reads the times of a context's first and last entry; see `Store.readEnds`. Rejects where it cannot be read. */
  ends(store: Store, listing: ContextListing): Promise<TranscriptEnds>
  /** See `glanceAt`. */
  glance(history: Looked, signal?: AbortSignal): Promise<Glance | undefined>
  /**
   * Counts a conversation by reading all of it, in a thread; undefined where that is to be done here. Rejects where it cannot be
   * read: reading it here tells why.
   */
  whole?(history: Looked, signal?: AbortSignal): Promise<ConversationCount | undefined>
  /** Reads files for a list, where there are threads for it. */
  readonly look?: LookElsewhere
  close(): Promise<void>
}

type Looked = Pick<History, 'reader' | 'ref'>

/**
 * Creates a counter in this thread, two jobs at once: counting is parsing, and a second job fills the time that the
 * first waits for the disk.
 */
export function inlineCounter(disk: Disk): Counter {
  return {
    width: 2,
    count: jobCounter(disk),
    ends: (store, listing) => store.readEnds(listing),
    glance: (history, signal) => glanceHere(disk, history, signal),
    close: async () => {},
  }
}

/** Enough to do for a thread until the next question comes. */
const jobsAThread = 16
/** The size below which asking a thread costs more than counting. */
const smallBytes = 4 * 1024

/**
 * Creates a counter in worker threads, so that a library of many gigabytes never blocks the app window.
 *
 * @param workerPath the built `count.worker.cjs`
 */
export function threadCounter(disk: Disk, workerPath: string): Counter {
  const count = Math.max(1, Math.min(4, os.cpus().length))
  const threads = Array.from(
    { length: count },
    () => new WorkerClient<DiskQuestion, DiskAnswer>(workerPath),
  )
  const [first] = threads
  const countHere = jobCounter(disk)
  return {
    width: jobsAThread * count,
    async count(job, signal) {
      const bytes = job.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      // What a small record is made of may be large.
      const isSmall = bytes <= smallBytes && job.files.every(({ path }) => !parseRecordPath(path))
      const thread = isSmall ? undefined : threadFor(threads, job)
      if (thread === undefined) return countHere(job, signal)
      const answer = await thread.ask({ type: 'count', job }, signal)
      signal?.throwIfAborted()
      if (answer.type !== 'count') throw anotherAnswer()
      return answer.counts
    },
    async ends(store, listing) {
      if (first === undefined) return store.readEnds(listing)
      const answer = await first.ask({ type: 'ends', home: store.home, listing })
      if (answer.type !== 'ends') throw anotherAnswer()
      return answer.ends
    },
    async glance(history, signal) {
      const { reader, ref } = history
      if (ref.glance !== undefined) return ref.glance
      // The lines of files that are shared are known where they were listed.
      const thread = threadOf(threads, containerOf(ref))
      if (thread === undefined || reader.accounts !== undefined || !knows(reader))
        return glanceHere(disk, history, signal)
      const answer = await thread.ask({ type: 'glance', ref }, signal)
      signal?.throwIfAborted()
      if (answer.type !== 'glance') throw anotherAnswer()
      return answer.glance
    },
    async whole(history, signal) {
      const { reader, ref } = history
      const thread = threadOf(threads, containerOf(ref))
      // The lines of files that are shared are known where they were listed.
      if (thread === undefined || reader.accounts !== undefined || !knows(reader)) return undefined
      const answer = await thread.ask({ type: 'whole', ref }, signal)
      signal?.throwIfAborted()
      if (answer.type !== 'whole') throw anotherAnswer()
      return answer.count
    },
    look: lookInThreads(threads),
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}

function glanceHere(
  disk: Disk,
  { reader, ref }: Looked,
  signal = new AbortController().signal,
): Promise<Glance | undefined> {
  return glanceAt(reader, ref, disk, signal)
}

function anotherAnswer(): Error {
  return new Error('a thread answered another question')
}

/** Whether the thread has the same one, but maybe for how it lists. */
function knows({ id, read }: HistoryReader): boolean {
  return readers.some((reader) => reader.id === id && reader.read === read)
}

interface Busy {
  /** Questions without an answer yet. */
  readonly busy: number
}

/**
 * The one with the least to do; always the same one for a file that conversations share, which is read once there, and for one of
 * which lines are composed.
 */
function threadFor<T extends Busy>(
  threads: readonly T[],
  { source, files }: CountJob,
): T | undefined {
  const shared = files.find(({ begin }) => begin !== undefined)?.path ?? composedFrom(source, files)
  return shared === undefined ? leastBusy(threads) : threadOf(threads, shared)
}

/** The file of which the lines of a job are composed; undefined of a database, and of an export, where each finds its own. */
function composedFrom(source: CountJob['source'], files: CountJob['files']): string | undefined {
  const reader = readers.find(({ id }) => id === source)
  if (reader?.lookInto === undefined || reader.isImported === true) return undefined
  return files.flatMap(({ path: file }) => parseRecordPath(file)?.container ?? [])[0]
}

/** The file that a conversation lies in, also one of several. */
function containerOf({ root, files }: SourceRef): string {
  const file = path.join(root, files[0]?.file ?? '')
  return parseRecordPath(file)?.container ?? file
}

function leastBusy<T extends Busy>(threads: readonly T[]): T | undefined {
  return threads.slice(1).reduce((a, b) => (a && a.busy <= b.busy ? a : b), threads[0])
}
