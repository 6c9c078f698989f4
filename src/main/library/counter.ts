import os from 'node:os'
import type { SourceId } from '../../shared/model/conversation'
import type { Disk } from '../disk/disk'
import { readers } from '../readers/index'
import type { TranscriptFile } from '../store/context-files'
import { AskedThread } from './asked-thread'
import { countLines, foreignLine, ourLine } from './count-lines'
import type { Counts } from './tally'

/** Files of lines that are counted as one conversation. Plain data: it crosses to a thread. */
export interface CountJob {
  readonly source: SourceId
  /** The conversation, in files that others share. */
  readonly key: string
  readonly files: readonly TranscriptFile[]
}

/** Who counts: threads, or the caller's own. */
export interface Counter {
  /** Jobs that can run at the same time. */
  readonly width: number
  /** Rejects where a file has moved or cannot be read, or the signal aborted. */
  count(job: CountJob, signal?: AbortSignal): Promise<Counts>
  close(): Promise<void>
}

/** Counts in the caller's own thread, two at once: counting is parsing, a second one fills the time the disk is waited for. */
export function inlineCounter(disk: Disk): Counter {
  return { width: 2, count: (job, signal) => countJob(disk, job, signal), close: async () => {} }
}

/** @throws FileMoved, DiskError */
export async function countJob(
  disk: Disk,
  { source, key, files }: CountJob,
  signal?: AbortSignal,
): Promise<Counts> {
  if (source === 'chibi') return (await countLines(disk, files, ourLine, signal)).counts
  const meaningOf = readers.find(({ id }) => id === source)?.meaningOf
  if (meaningOf === undefined) throw new Error(`${source} has no files of lines`)
  return (await countLines(disk, files, foreignLine(meaningOf, key), signal)).counts
}

/** So small that asking a thread costs more than counting it. */
const smallBytes = 4 * 1024

/**
 * Counts in threads, so that a library of many gigabytes never keeps the window waiting.
 *
 * @param workerPath the built `count.worker.cjs`
 */
export function threadCounter(disk: Disk, workerPath: string): Counter {
  const count = Math.max(1, Math.min(4, os.cpus().length))
  const threads = Array.from({ length: count }, () => new AskedThread<CountJob, Counts>(workerPath))
  return {
    width: 2 * count,
    async count(job, signal) {
      const bytes = job.files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
      if (bytes <= smallBytes) return countJob(disk, job, signal)
      const [first, ...others] = threads
      if (first === undefined) return countJob(disk, job, signal)
      const idle = others.reduce((a, b) => (b.busy < a.busy ? b : a), first)
      const counts = await idle.ask(job, signal)
      signal?.throwIfAborted()
      return counts
    },
    async close() {
      await Promise.all(threads.map((thread) => thread.close()))
    },
  }
}
