import os from 'node:os'
import type { SearchableConversation, SearchDecoders } from '../../shared/model/search'
import type { Disk } from '../disk/interface/disk'
import { WorkerClient } from '../disk/process/worker-client'
import { createFile } from '../disk/writing/atomic'
import { type LeftEntries, leftEntries } from '../library/search'
import { buildPart, type FileToIndex } from '../segments/build/build-part'
import { type ScanAnswer, Scanner } from './scan'
import type { ScanJob } from './scan-job'
import type { ScanTools } from './scan-range'

/** The workers that scan files and build parts of the index, in threads or in this one. */
export interface SearchWorkers {
  /** Scans that can run at the same time. */
  readonly width: number
  /**
   * Takes steps of a job until there are none left; asked as often as there are threads, all of them work on it. An abort makes
   * it answer early with what it has.
   */
  scan(job: ScanJob, signal?: AbortSignal): Promise<ScanAnswer>
  /** Builds a part of the index into a new file; false when there was nothing to write, or the signal aborted. */
  build(files: readonly FileToIndex[], target: string, signal?: AbortSignal): Promise<boolean>
  /** Reads which entries of a conversation are on branches that were left. Rejects where it cannot be read. */
  leftEntries(conversation: TreeConversation, signal?: AbortSignal): Promise<LeftEntries>
  close(): Promise<void>
}

/** A conversation whose branches are read. Plain data: it crosses to a thread. */
export type TreeConversation = Pick<SearchableConversation, 'source' | 'key' | 'tree'>

/** A question to a search worker. */
export type SearchQuestion =
  | { readonly type: 'scan'; readonly job: ScanJob }
  | { readonly type: 'build'; readonly files: readonly FileToIndex[]; readonly target: string }
  | { readonly type: 'branches'; readonly conversation: TreeConversation }

/** The answer to a `SearchQuestion`. */
export type SearchAnswer =
  | { readonly type: 'scanned'; readonly answer: ScanAnswer }
  | { readonly type: 'built'; readonly written: boolean }
  | { readonly type: 'branches'; readonly left: LeftEntries }

/** Returns the number of threads for scans: one per processor, at most 4. */
export function scanWidth(): number {
  return Math.max(1, Math.min(4, os.cpus().length))
}

/**
 * Creates search workers in the caller's thread: for tests, and where no worker can be started.
 *
 * @param segmentSize @param createTools for tests
 */
export function inlineWorkers(
  disk: Disk,
  decoders: SearchDecoders,
  segmentSize?: number,
  createTools?: () => ScanTools,
): SearchWorkers {
  const scanner = new Scanner(disk, decoders, createTools)
  return {
    width: 1,
    scan: (job, signal) => scanner.scan(job, signal),
    build: (files, target, signal) => buildFile(disk, decoders, files, target, signal, segmentSize),
    leftEntries: (conversation, signal) => leftEntries(disk, conversation, signal),
    close: async () => undefined,
  }
}

/**
 * Builds a part of the index and writes it to `target`; resolves to false where there was nothing to write, or the
 * signal aborted.
 *
 * @throws DiskError
 */
export async function buildFile(
  disk: Disk,
  decoders: SearchDecoders,
  files: readonly FileToIndex[],
  target: string,
  signal?: AbortSignal,
  segmentSize?: number,
): Promise<boolean> {
  const part = await buildPart(disk, decoders, files, signal, segmentSize)
  if (part === undefined || signal?.aborted) return false
  await createFile(disk, target, part)
  return true
}

/**
 * Creates threads that start when they are first needed: `width` of them for scans, and one for the index, so that no
 * search waits for it. They keep no process alive.
 *
 * @param workerPath the built `search.worker.cjs`
 */
export function threadWorkers(workerPath: string, width: number): SearchWorkers {
  const thread = () => new WorkerClient<SearchQuestion, SearchAnswer>(workerPath)
  const scanners = Array.from({ length: width }, thread)
  const builder = thread()
  const idle = () => scanners.reduce((a, b) => (b.busy < a.busy ? b : a))
  return {
    width,
    async scan(job, signal) {
      const answer = await idle().ask({ type: 'scan', job }, signal)
      if (answer.type !== 'scanned') throw new Error('a search worker gave another answer')
      return answer.answer
    },
    async build(files, target, signal) {
      const answer = await builder.ask({ type: 'build', files, target }, signal)
      return answer.type === 'built' && answer.written
    },
    async leftEntries({ source, key, tree }, signal) {
      const conversation = { source, key, tree }
      const answer = await idle().ask({ type: 'branches', conversation }, signal)
      if (answer.type !== 'branches') throw new Error('a search worker gave another answer')
      return answer.left
    },
    async close() {
      await Promise.all([...scanners, builder].map((one) => one.close()))
    },
  }
}
