import { Worker } from 'node:worker_threads'
import { WorkerMessage, type WorkerOptions } from './worker-messages'

/** A running practice model. */
export interface Practice {
  /** Its base URL, with `/v1`. */
  readonly url: string
  /** Resolves when it has ended, by itself or by `close`. */
  readonly ended: Promise<void>
  /** Ends it and every connection to it. Idempotent. */
  close(): Promise<void>
}

/**
 * Starts the practice model in a worker and resolves when it listens.
 *
 * The worker keeps no process alive and dies with it.
 *
 * @param workerPath the built `practice.worker.cjs`
 * @throws Error when it cannot start: a missing file, a taken port
 */
export async function launchPractice(
  workerPath: string,
  options: WorkerOptions = {},
): Promise<Practice> {
  const worker = new Worker(workerPath, { workerData: { ...options } })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  try {
    const url = await listening(worker)
    // From now on a fault of the worker only ends it; the next request starts another.
    worker.on('error', () => undefined)
    worker.unref()
    return {
      url,
      ended,
      async close() {
        await worker.terminate()
        await ended
      },
    }
  } catch (error) {
    await worker.terminate()
    throw error
  }
}

/** Starts the practice model when it is first asked for, and again after it ended. */
export function practiceOnDemand(
  workerPath: string,
  options: WorkerOptions = {},
): {
  /** The base URL. @throws Error when it cannot start; the next call tries again */
  url(): Promise<string>
  close(): Promise<void>
} {
  let running: Promise<Practice> | undefined
  return {
    async url() {
      if (running === undefined) {
        const started = launchPractice(workerPath, options)
        running = started
        const forget = () => {
          if (running === started) running = undefined
        }
        started.then(({ ended }) => ended.then(forget), forget)
      }
      return (await running).url
    },
    async close() {
      const practice = await running?.catch(() => undefined) // One that did not start needs no end.
      running = undefined
      await practice?.close()
    },
  }
}

function listening(worker: Worker): Promise<string> {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the practice model ended with code ${code}`)))
    worker.once('message', (message) => {
      const answer = WorkerMessage.parse(message)
      if (answer.type === 'listening') resolve(answer.url)
      else reject(new Error(`the practice model cannot start: ${answer.message}`))
    })
  })
}
