/** Worker, as far as what asks it uses it. */
export type AnsweringWorker = Pick<Worker, 'postMessage' | 'onmessage' | 'onerror' | 'terminate'>

/** Message of a worker: the answer to the request of that number; absent where there is none. */
export interface WorkerAnswer<Answer> {
  readonly id: number
  readonly answer?: Answer
}

/** Answers of a worker, the last of them kept by name. */
export interface WorkerAnswers<Answer> {
  /** Returns a kept answer at once. */
  known(name: string): Answer | undefined
  /** Returns the kept answer, or posts the request with a number as its `id`. Undefined without an answer. */
  ask(name: string, request: object): Promise<Answer | undefined>
  close(): void
}

/** Makes a line to a worker that starts with the first request. Where it cannot start or fails, nothing is answered. */
export function createWorkerAnswers<Answer>(
  startWorker: () => AnsweringWorker,
  keptAnswers: number,
): WorkerAnswers<Answer> {
  const answers = new Map<string, Answer | undefined>()
  const waiting = new Map<number, (answer: Answer | undefined) => void>()
  let worker: AnsweringWorker | undefined
  let nextId = 0
  /** True where the worker could not start or failed: no request waits for it again. */
  let isBroken = false

  function started(): AnsweringWorker {
    if (worker !== undefined) return worker
    worker = startWorker()
    worker.onmessage = ({ data }: MessageEvent<WorkerAnswer<Answer>>) => {
      waiting.get(data.id)?.(data.answer)
      waiting.delete(data.id)
    }
    worker.onerror = () => {
      isBroken = true
      for (const answer of waiting.values()) answer(undefined)
      waiting.clear()
    }
    return worker
  }

  return {
    known: (name) => answers.get(name),
    async ask(name, request) {
      if (answers.has(name) || isBroken) return answers.get(name)
      const id = nextId++
      const answer = await new Promise<Answer | undefined>((resolve) => {
        waiting.set(id, resolve)
        try {
          started().postMessage({ id, ...request })
        } catch {
          isBroken = true
          waiting.delete(id)
          resolve(undefined)
        }
      })
      answers.set(name, answer)
      // The oldest is dropped first: a Map keeps insertion order.
      for (const old of answers.keys()) {
        if (answers.size <= keptAnswers) break
        answers.delete(old)
      }
      return answer
    },
    close() {
      worker?.terminate()
      worker = undefined
    },
  }
}
