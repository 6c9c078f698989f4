import { parentPort, Worker } from 'node:worker_threads'

/** A message to a worker that follows files: a question with a number gets one answer, one without gets none. */
interface ToWorker<Question> {
  readonly id?: number
  readonly question: Question
}

/** A message of such a worker: an answer, the message of an error, or that later answers may be other ones. */
type FromWorker<Answer> =
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'failed'; readonly id: number; readonly message: string }
  | { readonly type: 'changed' }

interface Waiting<Answer> {
  readonly resolve: (answer: Answer) => void
  readonly reject: (error: Error) => void
}

/**
 * The client of a worker thread that keeps what it knows and reports when that changes. The thread starts with the first
 * question, and again after it died. It keeps no process alive.
 */
export class FollowingWorker<Question, Answer> {
  private readonly workerPath: string
  private readonly workerData: unknown
  private readonly changed: () => void
  private readonly waiting = new Map<number, Waiting<Answer>>()
  private worker: Worker | undefined
  private lastId = 0
  private isClosed = false

  /** @param workerPath a built worker that serves with `serveFollowing` */
  constructor(workerPath: string, workerData: unknown, changed: () => void) {
    this.workerPath = workerPath
    this.workerData = workerData
    this.changed = changed
  }

  /** Rejects with what the thread failed with, because it ended, or after `close`. */
  ask(question: Question): Promise<Answer> {
    if (this.isClosed) return Promise.reject(new Error('the thread was closed'))
    const worker = this.start()
    const id = ++this.lastId
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject })
      worker.ref()
      worker.postMessage({ id, question } satisfies ToWorker<Question>)
    })
  }

  /** Sends a message without an answer; not before the first question, since nothing is known then. */
  tell(question: Question): void {
    this.worker?.postMessage({ question } satisfies ToWorker<Question>)
  }

  async close(): Promise<void> {
    this.isClosed = true
    const { worker } = this
    await worker?.terminate()
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker
    const worker = new Worker(this.workerPath, { workerData: this.workerData })
    worker.unref()
    worker.on('message', (message: FromWorker<Answer>) => this.receive(worker, message))
    worker.on('error', (error) => this.failAll(worker, error))
    worker.on('exit', () => this.failAll(worker, new Error('the thread ended')))
    this.worker = worker
    return worker
  }

  private receive(worker: Worker, message: FromWorker<Answer>): void {
    if (message.type === 'changed') {
      if (!this.isClosed) this.changed()
      return
    }
    const waiting = this.waiting.get(message.id)
    this.waiting.delete(message.id)
    if (this.waiting.size === 0) worker.unref()
    if (message.type === 'failed') waiting?.reject(new Error(message.message))
    else waiting?.resolve(message.answer)
  }

  private failAll(worker: Worker, error: Error): void {
    if (this.worker !== worker) return
    this.worker = undefined
    for (const { reject } of [...this.waiting.values()]) reject(error)
    this.waiting.clear()
  }
}

/**
 * Serves the questions of a `FollowingWorker`, in its thread.
 *
 * @param answer may reject; of a question without a number the answer is dropped
 */
export function serveFollowing<Question, Answer>(
  answer: (question: Question) => Promise<Answer>,
): void {
  parentPort?.on('message', ({ id, question }: ToWorker<Question>) => {
    void answer(question).then(
      (given) => {
        if (id !== undefined) tell({ type: 'answer', id, answer: given })
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        if (id !== undefined) tell({ type: 'failed', id, message })
      },
    )
  })
}

/** Reports from a worker's thread that later answers may be other ones. */
export function reportChanged(): void {
  tell({ type: 'changed' })
}

function tell(message: FromWorker<unknown>): void {
  parentPort?.postMessage(message)
}
