import os from 'node:os'
import type { SearchDecoders } from '../../shared/model/search'
import type { Disk } from '../disk/interface/disk'
import { WorkerClient } from '../disk/process/worker-client'
import { createFile } from '../disk/writing/atomic'
import { buildPart, type FileToIndex } from '../segments/build/build-part'
import { type ScanAnswer, type ScanJob, Scanner } from './scan'

/** Who looks through files and builds parts of the index: threads, or the caller's own. */
export interface SearchWorkers {
  /** Jobs that can run at the same time. */
  readonly width: number
  /** Looks through a job's ranges. An abort makes it answer early with what it has. */
  scan(job: ScanJob, signal?: AbortSignal): Promise<ScanAnswer>
  /** Builds a part of the index into a new file; false when there was nothing to write, or the signal aborted. */
  build(files: readonly FileToIndex[], target: string, signal?: AbortSignal): Promise<boolean>
  close(): Promise<void>
}

/** What a worker is asked. */
export type SearchQuestion =
  | { readonly type: 'scan'; readonly job: ScanJob }
  | { readonly type: 'build'; readonly files: readonly FileToIndex[]; readonly target: string }

/** What it answers. */
export type SearchAnswer =
  | { readonly type: 'scanned'; readonly answer: ScanAnswer }
  | { readonly type: 'built'; readonly written: boolean }

/** Threads that look through files at the same time: what the machine has, but few enough that it stays usable. */
export function scanWidth(): number {
  return Math.max(1, Math.min(4, os.cpus().length))
}

/** Works in the caller's own thread: for tests, and where no worker can be started. */
export function inlineWorkers(
  disk: Disk,
  decoders: SearchDecoders,
  segmentSize?: number,
): SearchWorkers {
  const scanner = new Scanner(disk, decoders)
  return {
    width: 1,
    scan: (job, signal) => scanner.scan(job, signal),
    build: (files, target, signal) => buildFile(disk, decoders, files, target, signal, segmentSize),
    close: async () => undefined,
  }
}

/** Builds a part and writes it. @throws DiskError */
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
 * Starts threads when they are first needed: `width` of them for scans, and one for the index, so that no search waits
 * for it. They keep no process alive.
 *
 * @param workerPath the built `search.worker.cjs`
 */
export function threadWorkers(workerPath: string, width: number): SearchWorkers {
  const thread = () => new WorkerClient<SearchQuestion, SearchAnswer>(workerPath)
  const scanners = Array.from({ length: width }, thread)
  const builder = thread()
  return {
    width,
    async scan(job, signal) {
      const idle = scanners.reduce((a, b) => (b.busy < a.busy ? b : a))
      const answer = await idle.ask({ type: 'scan', job }, signal)
      if (answer.type !== 'scanned') throw new Error('a search worker gave another answer')
      return answer.answer
    },
    async build(files, target, signal) {
      const answer = await builder.ask({ type: 'build', files, target }, signal)
      return answer.type === 'built' && answer.written
    },
    async close() {
      await Promise.all([...scanners, builder].map((one) => one.close()))
    },
  }
}
