import { parentPort } from 'node:worker_threads'
import { blockingDisk } from '../disk/node/blocking-disk'
import { serveQuestions } from '../disk/process/worker-client'
import { unpackingDisk } from '../disk/unpack/unpacking-disk'
import { historyDisk, leftEntries, searchDecoders } from '../library/search'
import { Scanner } from './scan'
import { buildFile, type SearchAnswer, type SearchQuestion } from './workers'

/** A thread that searches files and builds parts of the index, so that nothing else has to wait. */
const disk = historyDisk(unpackingDisk(blockingDisk()))
const scanner = new Scanner(disk, searchDecoders)

async function answerTo(question: SearchQuestion, signal: AbortSignal): Promise<SearchAnswer> {
  if (question.type === 'scan')
    return { type: 'scanned', answer: await scanner.scan(question.job, signal) }
  if (question.type === 'branches')
    return { type: 'branches', left: await leftEntries(disk, question.conversation, signal) }
  const { files, target } = question
  const written = await buildFile(disk, searchDecoders, files, target, signal)
  return { type: 'built', written }
}

if (parentPort !== null) serveQuestions(parentPort, answerTo)
