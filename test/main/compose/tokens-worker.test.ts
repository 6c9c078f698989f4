import { afterAll, expect, it } from 'vitest'
import { WorkerClient } from '../../../src/main/disk/process/worker-client'
import type { TokenAnswer, TokenQuestion } from '../../../src/main/llm/tokens/questions'
import { bundled } from '../../support/bundled'

const workerPath = bundled('src/main/compose/tokens.worker.ts')
let thread: WorkerClient<TokenQuestion, TokenAnswer> | undefined
afterAll(() => thread?.close())

it('counts in a thread, as published', async () => {
  thread = new WorkerClient(workerPath())
  const counts = Promise.all([
    thread.ask({
      encoding: 'o200k_base',
      texts: ['tiktoken is great!', 'お誕生日おめでとう', '', '<|endoftext|>'],
    }),
    thread.ask({ encoding: 'cl100k_base', texts: ['お誕生日おめでとう'] }),
  ])
  expect(thread.busy).toBe(2)
  const [o200k, cl100k] = await counts
  expect(o200k.slice(0, 3)).toEqual([6, 8, 0])
  expect(o200k[3]).toBeGreaterThan(2)
  expect(cl100k).toEqual([9])
})
