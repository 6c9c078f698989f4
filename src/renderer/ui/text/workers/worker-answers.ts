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

/** Runs something after a time in milliseconds; returns what calls it off. */
type Timer = (run: () => void, ms: number) => () => void

const pageTimer: Timer = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Time a worker has for one request, twice: what a page that stood still has not read yet comes in between. */
const patienceMs = 5_000

interface Waiting<Answer> {
  readonly request: object
  resolve(answer: Answer | undefined): void
}

/**
 * Makes a line to a worker that starts with the first request. Where it cannot start or fails, nothing is answered. One that
 * does not come to an end with a request is ended: that request has no answer, and a new worker goes on with the others.
 */
export function createWorkerAnswers<Answer>(
  startWorker: () => AnsweringWorker,
  keptAnswers: number,
  later: Timer = pageTimer,
): WorkerAnswers<Answer> {
  const answers = new Map<string, Answer | undefined>()
  /** In the order in which the worker takes them: it is at the first. */
  const waiting = new Map<number, Waiting<Answer>>()
  let worker: AnsweringWorker | undefined
  let stopWatch: (() => void) | undefined
  let nextId = 0
  /** True where the worker could not start or failed: no request waits for it again. */
  let isBroken = false

  function started(): AnsweringWorker {
    if (worker !== undefined) return worker
    const own = startWorker()
    worker = own
    own.onmessage = ({ data }: MessageEvent<WorkerAnswer<Answer>>) => {
      if (worker !== own) return
      settle(data.id, data.answer)
      watch()
    }
    own.onerror = () => {
      if (worker === own) fail()
    }
    return own
  }

  function settle(id: number, answer: Answer | undefined): void {
    waiting.get(id)?.resolve(answer)
    waiting.delete(id)
  }

  function fail(): void {
    isBroken = true
    for (const id of waiting.keys()) settle(id, undefined)
    watch()
  }

  /** Begins the time of the first request that waits. */
  function watch(): void {
    stopWatch?.()
    stopWatch = undefined
    if (waiting.size === 0) return
    stopWatch = later(() => {
      stopWatch = later(startAnew, patienceMs)
    }, patienceMs)
  }

  function startAnew(): void {
    worker?.terminate()
    worker = undefined
    const [stuck] = waiting.keys()
    if (stuck !== undefined) settle(stuck, undefined)
    try {
      for (const [id, { request }] of waiting) started().postMessage({ id, ...request })
    } catch {
      fail()
    }
    watch()
  }

  return {
    known: (name) => answers.get(name),
    async ask(name, request) {
      if (answers.has(name) || isBroken) return answers.get(name)
      const id = nextId++
      const answer = await new Promise<Answer | undefined>((resolve) => {
        waiting.set(id, { request, resolve })
        try {
          started().postMessage({ id, ...request })
          if (waiting.size === 1) watch()
        } catch {
          isBroken = true
          settle(id, undefined)
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
      stopWatch?.()
      stopWatch = undefined
      worker?.terminate()
      worker = undefined
    },
  }
}
