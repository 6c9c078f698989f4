import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openAiStream } from '../../../../src/main/llm/provider/openai'
import { run } from '../../../../src/main/llm/run/run'
import type { Practice } from '../../../../src/main/practice/launch'
import type { EntryId } from '../../../../src/shared/model/conversation/entry'
import type { RunEvent } from '../../../../src/shared/model/run/run'
import { fakeClock } from '../../../support/fake-clock'
import { memoryWriter } from '../../../support/memory-writer'
import { startPracticeForTests } from '../../../support/practice'

let practice: Practice
beforeAll(async () => {
  practice = await startPracticeForTests()
})
afterAll(() => practice.close())

/** Plays a run against the practice model over HTTP; `stopAt` stops it once so many characters came. */
async function play(text: string, stopAt = Number.POSITIVE_INFINITY) {
  const writer = memoryWriter('garden')
  const stop = new AbortController()
  const events: RunEvent[] = []
  let told = ''
  const deps = {
    writer,
    provider: openAiStream({ baseUrl: practice.url }),
    clock: fakeClock(),
    newId: () => randomUUID() as EntryId,
  }
  const input = { text, model: 'practice', username: 'someone', prompt: {} }
  for await (const event of run(input, deps, stop.signal)) {
    events.push(event)
    if (event.type === 'delta') told += event.text
    if (told.length >= stopAt) stop.abort()
  }
  // Runs of deltas count once.
  const story = events
    .map((event) => (event.type === 'ended' ? event.outcome : event.type))
    .filter((type, index, all) => type !== 'delta' || all[index - 1] !== 'delta')
  return { events, writer, told, story, last: writer.entries.at(-1) }
}

describe('a run against the practice model over HTTP', () => {
  it('goes from the message to the whole answer', async () => {
    const { story, told, last } = await play('hello')
    expect(story).toEqual(['appended', 'requested', 'delta', 'appended', 'complete'])
    expect(last).toMatchObject({ content: told, role: 'agent', from: 'garden', to: 'user' })
    expect(last?.metadata).toMatchObject({ model: 'practice', usage: { input: 2 } })
    expect(last?.metadata).not.toHaveProperty('interrupted')
  })

  it('numbers its deltas without a gap', async () => {
    const { events } = await play('/reason hello')
    const seqs = events.flatMap((event) => (event.type === 'delta' ? [event.seq] : []))
    expect(seqs).toEqual(seqs.map((_, index) => index))
  })

  it('tries again until the provider answers', async () => {
    expect((await play('/retry 2')).story).toEqual([
      'appended',
      'requested',
      'retrying',
      'requested',
      'retrying',
      'requested',
      'delta',
      'appended',
      'complete',
    ])
  })

  it('stops an endless answer and keeps what came', async () => {
    const { story, told, last } = await play('/flood', 5000)
    expect(story).toEqual(['appended', 'requested', 'delta', 'appended', 'stopped'])
    expect(last).toMatchObject({ content: told, metadata: { interrupted: 'stopped' } })
  })

  it.each([
    ['/cut 5', 'cut', '**Practice model, no AI.** Skein '],
    ['/garbage', 'cut', '**Practice model, no AI.** Skein itself writes this, '],
    ['/fail stream', 'server', '**Practice model, no AI.** Skein itself writes this, '],
  ])('keeps what came before %s, and says why after it', async (text, kind, content) => {
    const { story, writer } = await play(text)
    expect(story.slice(-3)).toEqual(['appended', 'appended', 'failed'])
    expect(writer.entries.slice(1)).toMatchObject([
      { content, metadata: { interrupted: 'failed' } },
      { entry_type: 'run_error', metadata: { kind, attempts: 1 } },
    ])
  })

  it.each([
    ['/fail 401', 'bad-key', 1],
    ['/fail html', 'server', 4],
    ['/empty', 'server', 1],
  ])('leaves nothing but the reason after %s', async (text, kind, attempts) => {
    const { writer, events } = await play(text)
    expect(writer.entries.map(({ entry_type }) => entry_type)).toEqual(['message', 'run_error'])
    expect(events.at(-1)).toMatchObject({ outcome: 'failed', failure: { kind, attempts } })
  })
})
