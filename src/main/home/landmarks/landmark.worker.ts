import { parentPort } from 'node:worker_threads'
import { appDisk } from '../../disk/app-disk'
import { serveQuestions } from '../../disk/process/worker-client'
import { historyDisk } from '../../readers/history-disk'
import { landmarkWork } from './landmark-work'

/** A thread that holds the landmarks of the open conversation, so that nothing else waits until all of it was read. */
if (parentPort !== null) serveQuestions(parentPort, landmarkWork(historyDisk(appDisk)))
