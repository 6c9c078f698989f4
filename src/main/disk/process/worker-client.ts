import { setMaxListeners } from 'node:events'
import { Worker } from 'node:worker_threads'

/** A worker's message: the number of a question with its answer, or with the message of the error. */
export type ThreadAnswer<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failed: string }

/** A message to a worker: a numbered question, or the cancellation of one. */
export type ThreadQuestion<Question> =
  | { readonly id: number; readonly question: Question }
  | { readonly cancel: number }

/** Waking a thread takes as long as a small question does: what comes together goes together. */
class Outbox<T> {
  private held: T[] = []
  private readonly post: (all: readonly T[]) => void

  constructor(post: (all: readonly T[]) => void) {
    this.post = post
  }

  /** @param now there is nothing to wait for */
  send(one: T, now: boolean): void {
    this.held.push(one)
    if (now) this.flush()
    else if (this.held.length === 1) setImmediate(() => this.flush())
  }

  private flush(): void {
    const { held } = this
    this.held = []
    if (held.length > 0) this.post(held)
  }
}

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/** A thread without questions gives its memory back after so long. */
const idleMs = 20_000

/**
 * The client of a worker thread that gives one answer to each question. The thread starts with the first question, and
 * again after it died or was ended for being idle. It keeps no process alive.
 */
export class WorkerClient<Question, Answer> {
  private readonly workerPath: string
  private readonly waiting = new Map<number, Waiting<Answer>>()
  private worker: Worker | undefined
  private outbox: Outbox<ThreadQuestion<Question>> | undefined
  private lastId = 0
  private idle: NodeJS.Timeout | undefined
  private readonly idleMs: number

  /** @param workerPath a built worker that serves with `serveQuestions` */
  constructor(workerPath: string, letGoAfterMs = idleMs) {
    this.workerPath = workerPath
    this.idleMs = letGoAfterMs
  }

  /** Questions without an answer yet. */
  get busy(): number {
    return this.waiting.size
  }

  /** Rejects with what the thread failed with, or because it ended. */
  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    clearTimeout(this.idle)
    const { worker, outbox } = this.start()
    const id = ++this.lastId
    const cancel = () => outbox.send({ cancel: id }, true)
    const isAlone = this.waiting.size === 0
    const answer = new Promise<Answer>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
    })
    worker.ref()
    outbox.send({ id, question }, isAlone)
    // As many as are asked at once.
    if (signal !== undefined) setMaxListeners(0, signal)
    signal?.addEventListener('abort', cancel)
    if (signal?.aborted) cancel()
    try {
      return await answer
    } finally {
      signal?.removeEventListener('abort', cancel)
      this.waiting.delete(id)
      if (this.waiting.size === 0) this.rest(worker)
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.idle)
    await this.worker?.terminate()
  }

  private rest(worker: Worker): void {
    worker.unref()
    this.idle = setTimeout(() => {
      if (this.worker !== worker || this.waiting.size > 0) return
      this.worker = undefined
      void worker.terminate()
    }, this.idleMs).unref()
  }

  private start() {
    if (this.worker !== undefined && this.outbox !== undefined)
      return { worker: this.worker, outbox: this.outbox }
    const worker = new Worker(this.workerPath)
    worker.unref()
    worker.on('message', (answers: readonly ThreadAnswer<Answer>[]) => {
      for (const answer of answers) this.settle(answer)
    })
    worker.on('error', (error) => this.failAll(worker, error))
    worker.on('exit', () => this.failAll(worker, new Error('a worker thread ended')))
    const outbox = new Outbox<ThreadQuestion<Question>>((all) => worker.postMessage(all))
    this.worker = worker
    this.outbox = outbox
    return { worker, outbox }
  }

  private settle(answer: ThreadAnswer<Answer>): void {
    const waiting = this.waiting.get(answer.id)
    if ('failed' in answer) waiting?.reject(new Error(answer.failed))
    else waiting?.resolve(answer.answer)
  }

  private failAll(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const { reject } of [...this.waiting.values()]) reject(error)
  }
}

/** Answers the questions that arrive at a worker's port, several at once; the worker's side of `WorkerClient`. */
export function serveQuestions<Question, Answer>(
  port: {
    on(event: 'message', listener: (questions: readonly ThreadQuestion<Question>[]) => void): void
    postMessage(answers: readonly ThreadAnswer<Answer>[]): void
  },
  answerTo: (question: Question, signal: AbortSignal) => Promise<Answer>,
): void {
  const running = new Map<number, AbortController>()
  const outbox = new Outbox<ThreadAnswer<Answer>>((all) => port.postMessage(all))
  const answerOf = async (id: number, question: Question, signal: AbortSignal) => {
    try {
      return { id, answer: await answerTo(question, signal) }
    } catch (error) {
      return { id, failed: error instanceof Error ? error.message : String(error) }
    }
  }
  const serve = async (id: number, question: Question) => {
    const controller = new AbortController()
    running.set(id, controller)
    const answer = await answerOf(id, question, controller.signal)
    running.delete(id)
    outbox.send(answer, running.size === 0)
  }
  port.on('message', (questions) => {
    for (const one of questions)
      if ('cancel' in one) running.get(one.cancel)?.abort()
      else void serve(one.id, one.question)
  })
}
