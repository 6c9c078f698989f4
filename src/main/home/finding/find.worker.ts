import { parentPort } from 'node:worker_threads'
import { appDisk } from '../../disk/app-disk'
import { serveQuestions } from '../../disk/process/worker-client'
import { historyDisk } from '../../readers/history-disk'
import { findWork } from './find-work'

/** A thread that holds the texts of the open conversation and finds words in them, so that nothing else has to wait. */
if (parentPort !== null) serveQuestions(parentPort, findWork(historyDisk(appDisk)))
