import { parentPort } from 'node:worker_threads'
import { nodeDisk } from '../disk/node-disk'
import { serveQuestions } from './asked-thread'
import { type CountJob, countJob } from './counter'

/** Counts conversations in a thread of its own. */
if (parentPort !== null)
  serveQuestions(parentPort, (job: CountJob, signal) => countJob(nodeDisk, job, signal))
