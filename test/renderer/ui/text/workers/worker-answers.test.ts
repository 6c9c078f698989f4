import { expect, it } from 'vitest'
import {
  type AnsweringWorker,
  createWorkerAnswers,
} from '../../../../../src/renderer/ui/text/workers/worker-answers'

interface Started {
  readonly asked: { readonly id: number; readonly text: string }[]
  isEnded: boolean
  answer(id: number, answer: string): void
}

/** Workers that answer when they are told to, and a clock that moves when it is told to. */
function lineOf() {
  const workers: Started[] = []
  const timers = new Set<() => void>()
  const answers = createWorkerAnswers<string>(
    () => {
      const worker: AnsweringWorker & Started = {
        asked: [],
        isEnded: false,
        onmessage: null,
        onerror: null,
        postMessage: (request: Started['asked'][number]) => worker.asked.push(request),
        terminate: () => {
          worker.isEnded = true
        },
        answer: (id, answer) =>
          worker.onmessage?.call(
            worker as unknown as Worker,
            new MessageEvent('message', { data: { id, answer } }),
          ),
      }
      workers.push(worker)
      return worker
    },
    10,
    (run) => {
      timers.add(run)
      return () => timers.delete(run)
    },
  )
  return {
    workers,
    timers,
    ask: (text: string) => answers.ask(text, { text }),
    close: () => answers.close(),
    /** Lets the time of the clocks that run pass. */
    pass: () => {
      const due = [...timers]
      timers.clear()
      for (const run of due) run()
    },
  }
}

it('ends a worker that does not come to an end, and goes on with the other requests in a new one', async () => {
  const { workers, ask, pass } = lineOf()
  const stuck = ask('endless')
  const next = ask('x')
  pass()
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([false])
  pass()
  expect(workers.map(({ isEnded }) => isEnded)).toEqual([true, false])
  expect(workers[1]?.asked).toEqual([{ id: 1, text: 'x' }])
  workers[0]?.answer(1, 'late')
  workers[1]?.answer(1, 'drawn')
  expect([await stuck, await next]).toEqual([undefined, 'drawn'])
  expect(await ask('endless')).toBeUndefined()
  expect(workers[1]?.asked).toHaveLength(1)
})

it('gives each request the whole time, and runs no clock while none waits', async () => {
  const { workers, timers, ask, pass, close } = lineOf()
  expect(timers.size).toBe(0)
  const first = ask('a')
  const second = ask('b')
  pass()
  workers[0]?.answer(0, 'A')
  pass()
  expect(workers[0]?.isEnded).toBe(false)
  workers[0]?.answer(1, 'B')
  expect([await first, await second, timers.size]).toEqual(['A', 'B', 0])
  void ask('c')
  expect(timers.size).toBe(1)
  close()
  expect(timers.size).toBe(0)
})
