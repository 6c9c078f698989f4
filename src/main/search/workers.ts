import os from 'node:os'
import { Worker } from 'node:worker_threads'
import type { SearchDecoders } from '../../shared/model/search'
import { createFile } from '../disk/atomic'
import type { Disk } from '../disk/disk'
import { buildPart, type FileToIndex } from '../segments/build-part'
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
export type ToWorker =
  | { readonly type: 'scan'; readonly id: number; readonly job: ScanJob }
  | {
      readonly type: 'build'
      readonly id: number
      readonly files: readonly FileToIndex[]
      readonly target: string
    }
  | { readonly type: 'cancel'; readonly id: number }

/** What it answers, once for each question but `cancel`. */
export type FromWorker =
  | { readonly type: 'scanned'; readonly id: number; readonly answer: ScanAnswer }
  | { readonly type: 'built'; readonly id: number; readonly written: boolean }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }

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
  const scanners = Array.from({ length: width }, () => new Thread(workerPath))
  const builder = new Thread(workerPath)
  return {
    width,
    async scan(job, signal) {
      const idle = scanners.reduce((a, b) => (b.busy < a.busy ? b : a))
      const answer = await idle.ask((id) => ({ type: 'scan', id, job }), signal)
      if (answer.type !== 'scanned') throw new Error('a search worker gave another answer')
      return answer.answer
    },
    async build(files, target, signal) {
      const answer = await builder.ask((id) => ({ type: 'build', id, files, target }), signal)
      return answer.type === 'built' && answer.written
    },
    async close() {
      await Promise.all([...scanners, builder].map((thread) => thread.close()))
    },
  }
}

interface Waiting {
  readonly resolve: (answer: FromWorker) => void
  readonly reject: (error: Error) => void
}

/** One worker thread; started with the first question, and again after it died. */
class Thread {
  private readonly workerPath: string
  private readonly waiting = new Map<number, Waiting>()
  private worker: Worker | undefined
  private lastId = 0

  constructor(workerPath: string) {
    this.workerPath = workerPath
  }

  get busy(): number {
    return this.waiting.size
  }

  async ask(question: (id: number) => ToWorker, signal?: AbortSignal): Promise<FromWorker> {
    const worker = this.start()
    const id = ++this.lastId
    const cancel = () => worker.postMessage({ type: 'cancel', id } satisfies ToWorker)
    const answer = new Promise<FromWorker>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
    })
    worker.ref()
    worker.postMessage(question(id))
    signal?.addEventListener('abort', cancel)
    if (signal?.aborted) cancel()
    try {
      const given = await answer
      if (given.type === 'failed') throw new Error(given.message)
      return given
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.waiting.delete(id)
      if (this.waiting.size === 0) worker.unref()
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate()
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker
    const worker = new Worker(this.workerPath)
    worker.unref()
    worker.on('message', (answer: FromWorker) => this.waiting.get(answer.id)?.resolve(answer))
    worker.on('error', (error) => this.failAll(worker, error))
    worker.on('exit', () => this.failAll(worker, new Error('a search worker ended')))
    this.worker = worker
    return worker
  }

  private failAll(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const { reject } of [...this.waiting.values()]) reject(error)
  }
}
