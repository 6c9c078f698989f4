import { parentPort } from 'node:worker_threads'
import { serveQuestions } from '../disk/process/worker-client'
import { openLocalCounter } from '../llm/tokens/questions'

/** Counts tokens in a thread of its own. Here and not in llm/tokens, which knows nothing of threads. */
if (parentPort !== null) serveQuestions(parentPort, openLocalCounter())
