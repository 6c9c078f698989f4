import { parentPort } from 'node:worker_threads'
import { nodeDisk } from '../disk/node-disk'
import { searchDecoders } from '../library/search-decoders'
import { Scanner } from './scan'
import { buildFile, type FromWorker, type ToWorker } from './workers'

/** A thread that looks through files and builds parts of the index, so that nothing else has to wait. */
const scanner = new Scanner(nodeDisk, searchDecoders)
const running = new Map<number, AbortController>()

async function answerTo(
  question: Exclude<ToWorker, { type: 'cancel' }>,
  signal: AbortSignal,
): Promise<FromWorker> {
  const { id } = question
  if (question.type === 'scan')
    return {
      type: 'scanned',
      id,
      answer: await scanner.scan(question.job, signal),
    }
  const { files, target } = question
  return {
    type: 'built',
    id,
    written: await buildFile(nodeDisk, searchDecoders, files, target, signal),
  }
}

async function serve(question: ToWorker): Promise<void> {
  if (question.type === 'cancel') {
    running.get(question.id)?.abort()
    return
  }
  const controller = new AbortController()
  running.set(question.id, controller)
  let answer: FromWorker
  try {
    answer = await answerTo(question, controller.signal)
  } catch (error) {
    answer = {
      type: 'failed',
      id: question.id,
      message: error instanceof Error ? error.message : String(error),
    }
  }
  running.delete(question.id)
  parentPort?.postMessage(answer)
}

parentPort?.on('message', (question: ToWorker) => void serve(question))
