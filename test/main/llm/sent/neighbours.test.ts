import { expect, it } from 'vitest'
import { readNeighbours } from '../../../../src/main/llm/sent/neighbours'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { readingOf } from '../../../../src/shared/model/conversation/reading'
import { SentAround } from '../../../../src/shared/model/run/sent'
import { message } from '../../../support/entries'

const answer = (content: string, timestamp: number): Entry => ({
  ...message(content, { from: 'garden', to: 'user', role: 'agent', metadata: { model: 'm' } }),
  timestamp,
  file: 'transcript/active.jsonl',
  offset: 0,
  length: 1,
})

async function previousOf(before: Entry) {
  async function* given(...all: readonly Entry[]) {
    yield* all
  }
  const around = await readNeighbours({
    entry: answer('now', 5),
    before: () => readingOf('garden', given(before)),
    after: () => readingOf('garden', given()),
    window: async () => [before],
  })
  return SentAround.parse(around).previous
}

it('has no time where an entry tells one that no calendar holds', async () => {
  expect(await previousOf(answer('then', 4))).toMatchObject({ atMs: 4000 })
  for (const timestamp of [1e20, 1e307, -1e307])
    expect(await previousOf(answer('then', timestamp))).toMatchObject({ atMs: null })
})

it('is cut by characters, and marked only where something is cut', async () => {
  const beans = (count: number) => '🫘'.repeat(count)
  expect((await previousOf(answer(beans(160), 4)))?.words).toBe(beans(160))
  expect((await previousOf(answer(beans(161), 4)))?.words).toBe(`${beans(160)}…`)
})
