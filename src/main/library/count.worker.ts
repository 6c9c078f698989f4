import { parentPort } from 'node:worker_threads'
import { appDisk } from '../disk/app-disk'
import { serveQuestions } from './asked-thread'
import { type CountJob, countJob } from './counter'

/** Counts conversations in a thread of its own. */
if (parentPort !== null)
  serveQuestions(parentPort, (job: CountJob, signal) => countJob(appDisk, job, signal))
