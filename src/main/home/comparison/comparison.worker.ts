import { parentPort } from 'node:worker_threads'
import { appDisk } from '../../disk/app-disk'
import { serveQuestions } from '../../disk/process/worker-client'
import { historyDisk } from '../../readers/history-disk'
import { comparisonWork } from './comparison-work'

/** A thread that compares two conversations, so that nothing else has to wait. */
if (parentPort !== null) serveQuestions(parentPort, comparisonWork(historyDisk(appDisk)))
