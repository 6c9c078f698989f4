import { setMaxListeners } from 'node:events'
import { Worker } from 'node:worker_threads'

/** What a thread answers a question: the number of the question, and what `answerAs` gives. */
export type ThreadAnswer<Answer> =
  | { readonly id: number; readonly answer: Answer }
  | { readonly id: number; readonly failed: string }

/** What a thread hears: a question, or that one need not be answered in full any more. */
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
 * A thread that is asked questions, each with one answer; started with the first, and again after it died or was let go
 * for having nothing to do. It keeps no process alive.
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
    worker.on('message', (told: readonly ThreadAnswer<Answer>[]) => {
      for (const one of told) this.hear(one)
    })
    worker.on('error', (error) => this.failAll(worker, error))
    worker.on('exit', () => this.failAll(worker, new Error('a worker thread ended')))
    const outbox = new Outbox<ThreadQuestion<Question>>((all) => worker.postMessage(all))
    this.worker = worker
    this.outbox = outbox
    return { worker, outbox }
  }

  private hear(told: ThreadAnswer<Answer>): void {
    const waiting = this.waiting.get(told.id)
    if ('failed' in told) waiting?.reject(new Error(told.failed))
    else waiting?.resolve(told.answer)
  }

  private failAll(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const { reject } of [...this.waiting.values()]) reject(error)
  }
}

/** The other side: answers questions that come in at a port, several at once. */
export function serveQuestions<Question, Answer>(
  port: {
    on(event: 'message', listener: (heard: readonly ThreadQuestion<Question>[]) => void): void
    postMessage(told: readonly ThreadAnswer<Answer>[]): void
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
  port.on('message', (heard) => {
    for (const one of heard)
      if ('cancel' in one) running.get(one.cancel)?.abort()
      else void serve(one.id, one.question)
  })
}
