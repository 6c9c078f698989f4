import { describe, expect, it } from 'vitest'
import {
  ProviderError,
  type ProviderEvent,
  type ProviderFault,
} from '../../../../src/main/llm/chat/provider'
import { retryAfterMs } from '../../../../src/main/llm/provider/guarded-fetch'
import { type AttemptEvent, requestWithRetry } from '../../../../src/main/llm/provider/retry'
import type { FailureKind } from '../../../../src/shared/model/run/run'
import { fakeClock } from '../../../support/fake-clock'
import { type ScriptStep, scriptedProvider } from '../../../support/scripted-provider'

const never = new AbortController().signal
const request = { model: 'm', messages: [] }
const finish: ScriptStep = { type: 'finish', reason: 'stop' }

function fault(code: FailureKind, more: Partial<ProviderFault> = {}): ProviderError {
  return new ProviderError(code, { message: 'It failed.', advice: 'Do this.', ...more })
}
const busy = (more: Partial<ProviderFault> = {}) => fault('server', { transient: true, ...more })

async function attempts(
  scripts: readonly (readonly ScriptStep[])[],
  clock = fakeClock(),
  signal: AbortSignal = never,
): Promise<readonly AttemptEvent[]> {
  const events: AttemptEvent[] = []
  for await (const event of requestWithRetry(
    scriptedProvider(...scripts).stream,
    request,
    clock,
    signal,
  ))
    events.push(event)
  return events
}

const failure = (attempts: number) => ({
  kind: 'server',
  message: 'It failed.',
  advice: 'Do this.',
  attempts,
})

describe('a request with retries', () => {
  it('asks again after a failure that passes, and tells every step', async () => {
    expect(await attempts([[busy()], [busy()], [{ type: 'content', text: 'hi' }, finish]])).toEqual(
      [
        { type: 'requesting', attempt: 1 },
        { type: 'retrying', attempt: 2, waitMs: 1000, failure: failure(1) },
        { type: 'requesting', attempt: 2 },
        { type: 'retrying', attempt: 3, waitMs: 2000, failure: failure(2) },
        { type: 'requesting', attempt: 3 },
        { type: 'content', text: 'hi' },
        finish,
      ],
    )
  })

  it.each<ProviderEvent>([
    { type: 'content', text: 'hi' },
    { type: 'reasoning', text: 'hm' },
    { type: 'media', media: [{ kind: 'image', url: 'https://example.org/a.png' }] },
  ])('asks nothing again once a part of the answer came: %j', async (part) => {
    const told = await attempts([[part, busy()]])
    expect(told.map(({ type }) => type)).toEqual(['requesting', part.type, 'failed'])
  })

  it('gives up after the fourth request', async () => {
    const clock = fakeClock()
    const events = await attempts([[busy()], [busy()], [busy()], [busy()]], clock)
    expect(events.at(-1)).toEqual({ type: 'failed', failure: failure(4) })
    expect(clock.slept).toEqual([1000, 2000, 4000])
  })

  it('waits up to half as long by chance', async () => {
    const clock = fakeClock(0, 0.5)
    await attempts([[busy()], [finish]], clock)
    expect(clock.slept).toEqual([750])
  })

  it('waits as long as the provider asks, when that is longer', async () => {
    const clock = fakeClock()
    await attempts([[busy({ retryAfterMs: 5000 })], [busy({ retryAfterMs: 10 })], [finish]], clock)
    expect(clock.slept).toEqual([5000, 2000])
  })

  it('asks nothing again when the provider wants more than a minute, and says so', async () => {
    const clock = fakeClock()
    const [, last] = await attempts([[busy({ retryAfterMs: 600_000 })]], clock)
    expect(last).toEqual({
      type: 'failed',
      failure: {
        ...failure(1),
        advice: 'It accepts no requests for the next 10 minutes. Do this.',
      },
    })
    expect(clock.slept).toEqual([])
  })

  it('asks nothing again that will fail again', async () => {
    const events = await attempts([[fault('bad-key', { status: 401, response: 'No.' })]])
    expect(events).toEqual([
      { type: 'requesting', attempt: 1 },
      {
        type: 'failed',
        failure: { ...failure(1), kind: 'bad-key', status: 401, response: 'No.' },
      },
    ])
  })

  it.each(['content', 'reasoning'] as const)('asks nothing again once %s came', async (type) => {
    const events = await attempts([[{ type, text: 'some' }, busy({ retryAfterMs: 600_000 })]])
    expect(events.slice(1)).toEqual([
      { type, text: 'some' },
      { type: 'failed', failure: failure(1) },
    ])
  })

  it('ends quietly when it is stopped while it waits', async () => {
    const stop = new AbortController()
    const clock = { ...fakeClock(), sleep: async () => stop.abort() }
    const events = await attempts([[busy()]], { ...clock, slept: [] }, stop.signal)
    expect(events.map(({ type }) => type)).toEqual(['requesting', 'retrying'])
  })

  it('does not repeat a mistake of its own', async () => {
    await expect(attempts([[new TypeError('x') as never]])).rejects.toThrow(TypeError)
  })
})

describe('Retry-After', () => {
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '1.5' }, 1500],
    [{ 'retry-after-ms': '250', 'retry-after': '3' }, 250],
    [{ 'retry-after': 'Tue, 14 Nov 2023 22:13:40 GMT' }, 20_000],
    [{ 'retry-after': 'Tue, 14 Nov 2023 22:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '-5' }, undefined],
    [{}, undefined],
  ])('of %j is %s ms', (headers, expected) => {
    expect(retryAfterMs(new Headers(headers as Record<string, string>), 1_700_000_000_000)).toBe(
      expected,
    )
  })
})
