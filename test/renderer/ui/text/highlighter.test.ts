import { expect, it } from 'vitest'
import {
  createHighlighter,
  type HighlightRequest,
} from '../../../../src/renderer/ui/text/highlighter'
import type { AnsweringWorker } from '../../../../src/renderer/ui/text/workers/worker-answers'

/** A worker that answers when it is told to. */
function workerOf() {
  const asked: HighlightRequest[] = []
  let ended = 0
  const worker = {
    onmessage: null,
    onerror: null,
    postMessage: (request: HighlightRequest) => asked.push(request),
    terminate: () => ended++,
  } as unknown as AnsweringWorker & { onmessage: (event: { data: unknown }) => void } & {
    onerror: (event: unknown) => void
  }
  return {
    worker,
    asked,
    answer: (data: unknown) => worker.onmessage({ data }),
    ended: () => ended,
  }
}

it('asks once for the same code, and knows it from then on', async () => {
  const { worker, asked, answer } = workerOf()
  const highlighter = createHighlighter(() => worker)
  expect(highlighter.known('js', 'a')).toBeUndefined()
  const first = highlighter.highlight('js', 'a')
  answer({ id: asked[0]?.id, answer: [['hljs-keyword', ['a']]] })
  expect(await first).toEqual([['hljs-keyword', ['a']]])
  expect(await highlighter.highlight('js', 'a')).toEqual([['hljs-keyword', ['a']]])
  expect(highlighter.known('js', 'a')).toEqual([['hljs-keyword', ['a']]])
  expect(asked).toEqual([{ id: 0, language: 'js', code: 'a' }])
})

it('leaves code plain when its language is unknown or the worker breaks', async () => {
  const { worker, asked, answer } = workerOf()
  const highlighter = createHighlighter(() => worker)
  const unknown = highlighter.highlight('klingon', 'a')
  answer({ id: asked[0]?.id })
  const broken = highlighter.highlight('js', 'b')
  worker.onerror({})
  expect([await unknown, await broken]).toEqual([undefined, undefined])
})

it('waits for no worker that broke, or could not be started', async () => {
  const { worker, asked } = workerOf()
  const highlighter = createHighlighter(() => worker)
  const first = highlighter.highlight('js', 'a')
  worker.onerror({})
  expect([await first, await highlighter.highlight('js', 'b')]).toEqual([undefined, undefined])
  expect(asked).toHaveLength(1)
  const none = createHighlighter(() => {
    throw new Error('no workers here')
  })
  expect(await none.highlight('js', 'a')).toBeUndefined()
  expect(await none.highlight('js', 'b')).toBeUndefined()
})

it('starts its worker with the first code and ends it when it is closed', async () => {
  const { worker, ended } = workerOf()
  let started = 0
  const highlighter = createHighlighter(() => {
    started++
    return worker
  })
  expect(started).toBe(0)
  void highlighter.highlight('js', 'a')
  void highlighter.highlight('js', 'b')
  highlighter.close()
  expect([started, ended()]).toEqual([1, 1])
})
