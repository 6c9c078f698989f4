import { parentPort, workerData } from 'node:worker_threads'
import { startPractice } from './server'
import type { WorkerMessage, WorkerOptions } from './worker-messages'

/** The practice model in a thread of its own: a flood must not make the window stutter. */
async function serve(options: WorkerOptions): Promise<void> {
  const tell = (message: WorkerMessage) => parentPort?.postMessage(message)
  try {
    const { url } = await startPractice(options)
    tell({ type: 'listening', url })
  } catch (error) {
    tell({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
  }
}

// What launch.ts gives; both are built together.
void serve(workerData as WorkerOptions)
