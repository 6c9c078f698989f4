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
 * Creates a function that reads files in the thread with the least to do. The caller's thread only gets the results:
 * reading each file there takes several times as long, and the app window would wait for it.
 */
export function lookInThreads(
  threads: readonly WorkerClient<DiskQuestion, DiskAnswer>[],
): LookElsewhere {
  return async (source, files, signal) => {
    if (sizeOf(files) <= smallBytes) return undefined
    const look = async (batch: readonly SeenFile[]) => {
      signal.throwIfAborted()
      const [first, ...others] = threads
      const thread = others.reduce((a, b) => (a && a.busy <= b.busy ? a : b), first)
      const answer = await thread?.ask({ type: 'look', source, files: batch }, signal)
      if (answer?.type !== 'look') throw new Error('no thread has answered')
      return batch.map((_, at) => answer.found[at])
    }
    try {
      return (await mapConcurrent(batchesOf(files), look, questionsAThread * threads.length)).flat()
    } catch {
      signal.throwIfAborted()
      return undefined // None can be started, or one has died: the caller can read them.
    }
  }
}

function batchesOf(files: readonly SeenFile[]): readonly (readonly SeenFile[])[] {
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
