import { parentPort } from 'node:worker_threads'
import { serveQuestions } from '../disk/process/worker-client'
import { databasesHere } from './databases'
import { databaseAnswers } from './thread'

/** A thread that reads other programs' databases, so that nothing else has to wait. */
if (parentPort !== null) serveQuestions(parentPort, databaseAnswers(databasesHere()))
