import { parentPort } from 'node:worker_threads'
import { blockingDisk } from '../disk/blocking-disk'
import { unpackingDisk } from '../disk/unpacking-disk'
import { serveQuestions } from './asked-thread'
import { diskAnswers } from './disk-questions'

/** Reads for the library in a thread of its own: counts conversations, and looks at their ends. */
if (parentPort !== null) serveQuestions(parentPort, diskAnswers(unpackingDisk(blockingDisk())))
