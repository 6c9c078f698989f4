import { fork } from 'node:child_process'
import type { PdfAnswer, PdfQuestion } from './process-question'

/** A process that reads one PDF. */
export interface PdfProcess {
  ask(question: PdfQuestion): void
  /** Hears the answer, once. */
  onAnswer(hear: (answer: PdfAnswer) => void): void
  /** Hears that the process has ended, whichever way, or could not be started. */
  onEnd(hear: () => void): void
  /** Ends it at once. */
  kill(): void
}

/** Starts the built `pdf.worker.cjs` as a process of Node, with nothing of this program's environment. */
export function startPdfProcess(worker: string): PdfProcess {
  const child = fork(worker, [], {
    // A program of Electron's is Node with it.
    env: { ELECTRON_RUN_AS_NODE: '1' },
    execArgv: [],
    serialization: 'advanced',
    // What the package says of a damaged file is for nobody.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  return {
    ask: (question) => void child.send(question, () => undefined),
    onAnswer: (hear) => void child.once('message', (answer) => hear(answer as PdfAnswer)),
    onEnd(hear) {
      child.once('exit', hear)
      child.once('error', hear)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
