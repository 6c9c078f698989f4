import { parentPort } from 'node:worker_threads'
import { blockingDisk } from '../../disk/node/blocking-disk'
import { serveQuestions } from '../../disk/process/worker-client'
import { unpackingDisk } from '../../disk/unpack/unpacking-disk'
import { historyDisk } from '../../readers/history-disk'
import { diskAnswers } from './disk-questions'

/** Reads for the library in a thread of its own: counts conversations, and looks at their ends. */
const disk = historyDisk(unpackingDisk(blockingDisk()))
if (parentPort !== null) serveQuestions(parentPort, diskAnswers(disk))
