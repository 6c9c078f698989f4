import { mapConcurrent } from '../../disk/pacing/map-concurrent'
import type { WorkerClient } from '../../disk/process/worker-client'
import type { LookElsewhere, SeenFile } from '../../readers/common/reader'
import type { DiskAnswer, DiskQuestion } from './disk-questions'

/** The size below which starting threads takes longer than reading. */
const smallBytes = 8 * 1024 * 1024
/** Bytes of one question: a few milliseconds, so that a count in between does not wait for long. */
const batchBytes = 2 * 1024 * 1024
const batchFiles = 64
/** The next question is there when one is answered. */
const questionsAThread = 2

/**
 * Creates a function that reads files in threads, each file always in the same one: what was read there is known to the next
 * question. The caller's thread only gets the results: reading each file there takes several times as long, and the app
 * window would wait for it.
 */
export function lookInThreads(
  threads: readonly WorkerClient<DiskQuestion, DiskAnswer>[],
): LookElsewhere {
  return async (source, files, signal) => {
    if (sizeOf(files) <= smallBytes) return undefined
    const found = new Map<SeenFile, unknown>()
    const look = async (thread: WorkerClient<DiskQuestion, DiskAnswer>, batch: Batch) => {
      signal.throwIfAborted()
      const answer = await thread.ask({ type: 'look', source, files: batch }, signal)
      if (answer.type !== 'look') throw new Error('a thread answered another question')
      for (const [at, file] of batch.entries()) found.set(file, answer.found[at])
    }
    try {
      await Promise.all(
        threads.map((thread) => {
          const own = files.filter((file) => threadOf(threads, file.path) === thread)
          return mapConcurrent(batchesOf(own), (batch) => look(thread, batch), questionsAThread)
        }),
      )
      return files.map((file) => found.get(file))
    } catch {
      signal.throwIfAborted()
      return undefined // None can be started, or one has died: the caller can read them.
    }
  }
}

/** Returns the thread in which a file is read: always the same one, so that it is read there once. */
export function threadOf<T>(threads: readonly T[], file: string): T | undefined {
  let sum = 0
  for (let at = 0; at < file.length; at++) sum = (sum * 31 + file.charCodeAt(at)) >>> 0
  return threads[sum % threads.length]
}

type Batch = readonly SeenFile[]

function batchesOf(files: readonly SeenFile[]): readonly Batch[] {
  const batches: SeenFile[][] = []
  let bytes = 0
  for (const file of files) {
    const last = batches.at(-1)
    bytes += file.stat.sizeBytes
    if (last !== undefined && bytes <= batchBytes && last.length < batchFiles) last.push(file)
    else {
      batches.push([file])
      bytes = file.stat.sizeBytes
    }
  }
  return batches
}

function sizeOf(files: readonly SeenFile[]): number {
  return files.reduce((sum, { stat }) => sum + stat.sizeBytes, 0)
}
