import { describe, expect, it } from 'vitest'
import { ProviderError, type ProviderEvent } from '../../../../src/main/llm/chat/provider'
import { type RunInput, run } from '../../../../src/main/llm/run/run'
import type { AppError, ErrorCode } from '../../../../src/shared/model/basics/errors'
import type { Entry, EntryId } from '../../../../src/shared/model/conversation/entry'
import type { RunEvent } from '../../../../src/shared/model/run/run'
import { fakeClock } from '../../../support/fake-clock'
import { type MemoryWriter, memoryWriter } from '../../../support/memory-writer'
import { type ScriptStep, scriptedProvider } from '../../../support/scripted-provider'

const startSeconds = 1_700_000_000
const content = (text: string): ProviderEvent => ({ type: 'content', text })
const reasoning = (text: string): ProviderEvent => ({ type: 'reasoning', text })
const finish = (reason: 'stop' | 'length' = 'stop'): ProviderEvent => ({ type: 'finish', reason })
const wrongKey = new ProviderError('bad-key', { message: 'No.', advice: 'Check.', status: 401 })
const cut = new ProviderError('cut', { message: 'It broke.', advice: 'Again.', transient: true })
const busy = new ProviderError('server', { message: 'Busy.', advice: 'Wait.', transient: true })

interface Played {
  readonly events: readonly RunEvent[]
  readonly writer: MemoryWriter
  readonly thrown?: unknown
  readonly requests: ReturnType<typeof scriptedProvider>['requests']
}

/** Plays a run to its end. Entry ids are e1, e2, ... in the order in which they are made. */
async function play(
  scripts: readonly (readonly ScriptStep[])[],
  options: {
    readonly input?: Partial<RunInput>
    readonly writer?: MemoryWriter
    readonly stop?: AbortController
  } = {},
): Promise<Played> {
  const provider = scriptedProvider(...scripts)
  const writer = options.writer ?? memoryWriter('garden')
  const events: RunEvent[] = []
  let ids = 0
  const deps = {
    writer,
    provider: provider.stream,
    clock: fakeClock(startSeconds * 1000 + 999),
    newId: () => `e${++ids}` as EntryId,
  }
  const input: RunInput = {
    text: 'hello',
    model: 'some/model',
    username: 'someone',
    prompt: {},
    ...options.input,
  }
  const signal = (options.stop ?? new AbortController()).signal
  try {
    for await (const event of run(input, deps, signal)) events.push(event)
  } catch (thrown) {
    return { events, writer, thrown, requests: provider.requests }
  }
  return { events, writer, requests: provider.requests }
}

function row(offset: number, entry: object): RunEvent {
  return {
    type: 'appended',
    row: { type: 'entry', entry: { ...(entry as Entry), file: 'memory.jsonl', offset, length: 1 } },
  }
}

const question = {
  id: 'e1',
  timestamp: startSeconds,
  from: 'someone',
  to: 'garden',
  content: 'hello',
  entry_type: 'message',
  role: 'user',
}
/** What every answer keeps of the request that it answers. */
const keptOfRequest = expect.objectContaining({
  digest: expect.stringMatching(/^[0-9a-f]{32}$/),
  tools: [],
  parameters: {},
})
const answer = (text: string, metadata: object = {}) => ({
  id: 'e2',
  timestamp: startSeconds,
  from: 'garden',
  to: 'user',
  content: text,
  entry_type: 'message',
  metadata: { model: 'some/model', request: keptOfRequest, ...metadata },
  role: 'agent',
})
const failed = (id: string, failure: { message: string; advice: string }, more: object = {}) => ({
  id,
  timestamp: startSeconds,
  from: 'system',
  to: 'garden',
  content: `${failure.message} ${failure.advice}`,
  entry_type: 'run_error',
  metadata: failure,
  ...more,
})
const requested = {
  type: 'requested',
  model: 'some/model',
  attempt: 1,
  answerId: 'e2' as EntryId,
} as const satisfies RunEvent
const delta = (seq: number, text: string, kind: 'content' | 'reasoning' = 'content'): RunEvent => ({
  type: 'delta',
  seq,
  kind,
  text,
})

describe('a run', () => {
  it('writes the message, asks, tells the answer as it comes, and writes it', async () => {
    const usage = { input: 3, output: 4 }
    const { events, writer, requests } = await play([
      [
        { type: 'model', model: 'real/model-7' },
        reasoning('hm'),
        content('\nHel'),
        content('lo'),
        { type: 'usage', usage },
        finish(),
      ],
    ])
    expect(events).toEqual([
      row(0, question),
      requested,
      delta(0, 'hm', 'reasoning'),
      delta(1, 'Hel'),
      delta(2, 'lo'),
      row(1, answer('Hello', { model: 'real/model-7', usage, reasoning: 'hm' })),
      { type: 'ended', outcome: 'complete' },
    ])
    expect(writer.log).toEqual([
      'append message',
      'window',
      'start partial',
      'partial (hm)',
      'partial (hm)Hel',
      'partial (hm)Hello',
      'append message',
      'discard',
    ])
    expect(requests).toEqual([
      { model: 'some/model', messages: [{ role: 'user', content: 'hello' }] },
    ])
  })

  it('has the message on the disk before it asks, and the answer before it tells its end', async () => {
    const writer = memoryWriter('garden')
    const seen: string[] = []
    const look = (when: string) => () => seen.push(`${when}: ${writer.entries.length}`)
    const { events } = await play([[look('asked'), content('hi'), look('told'), finish()]], {
      writer,
    })
    expect(seen).toEqual(['asked: 1', 'told: 1'])
    expect(events.at(-2)?.type).toBe('appended')
    expect(writer.entries).toHaveLength(2)
  })

  it('gives the partial file the same id as the answer, marked for a crash', async () => {
    const { writer } = await play([[content('hi'), finish()]])
    expect(writer.partialDraft).toEqual(answer('', { interrupted: 'crashed' }))
    expect(writer.partial).toBeUndefined()
  })

  it('leaves out one leading line feed, which may come alone', async () => {
    const { events } = await play([[content('\n'), content('\nhi'), finish()]])
    expect(events.slice(2, -1)).toEqual([delta(0, '\nhi'), row(1, answer('\nhi'))])
  })

  it('notes that the answer ended at its limit', async () => {
    const { events } = await play([[content('hi'), finish('length')]])
    expect(events.slice(-2)).toEqual([
      row(1, answer('hi', { finish: 'length' })),
      { type: 'ended', outcome: 'complete', unfinished: true },
    ])
  })

  it('asks again from the window without a new message', async () => {
    const begins = [{ ...(question as unknown as Entry), content: 'before' }]
    const { events, requests } = await play([[content('hi'), finish()]], {
      input: { text: undefined, prompt: { system: 'Be kind.' } },
      writer: memoryWriter('garden', { begins }),
    })
    expect(events).toEqual([
      { ...requested, answerId: 'e1' },
      delta(0, 'hi'),
      row(1, { ...answer('hi'), id: 'e1' }),
      { type: 'ended', outcome: 'complete' },
    ])
    expect(requests[0]?.messages).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'before' },
    ])
  })
})

describe('a run that is stopped', () => {
  it('keeps what came, marked', async () => {
    const stop = new AbortController()
    const { events, writer } = await play(
      [[reasoning('hm'), content('Hel'), () => stop.abort(), content('lo'), finish()]],
      { stop },
    )
    expect(events.slice(2)).toEqual([
      delta(0, 'hm', 'reasoning'),
      delta(1, 'Hel'),
      row(1, answer('Hel', { reasoning: 'hm', interrupted: 'stopped' })),
      { type: 'ended', outcome: 'stopped' },
    ])
    expect(writer.log.at(-1)).toBe('discard')
  })

  it('leaves the message alone where nothing came', async () => {
    const stop = new AbortController()
    const { events, writer } = await play([[() => stop.abort(), 'hang']], { stop })
    expect(events).toEqual([row(0, question), requested, { type: 'ended', outcome: 'stopped' }])
    expect(writer.entries).toHaveLength(1)
  })

  it('asks nothing where it is stopped at once, and keeps the message', async () => {
    const stop = new AbortController()
    stop.abort()
    const { events, requests } = await play([], { stop })
    expect(events).toEqual([row(0, question), { type: 'ended', outcome: 'stopped' }])
    expect(requests).toEqual([])
  })

  it('keeps reasoning that came alone', async () => {
    const stop = new AbortController()
    const { events } = await play([[reasoning('hm'), () => stop.abort()]], { stop })
    expect(events.slice(-2)).toEqual([
      row(1, answer('', { reasoning: 'hm', interrupted: 'stopped' })),
      { type: 'ended', outcome: 'stopped' },
    ])
  })
})

describe('a run that fails', () => {
  it('leaves an entry that says why and what to do', async () => {
    const failure = { kind: 'bad-key', message: 'No.', advice: 'Check.', status: 401, attempts: 1 }
    const { events } = await play([[wrongKey]])
    expect(events).toEqual([
      row(0, question),
      requested,
      row(1, failed('e3', failure)),
      { type: 'ended', outcome: 'failed', failure },
    ])
  })

  it('keeps what came, marked, and the reason after it', async () => {
    const failure = { kind: 'cut', message: 'It broke.', advice: 'Again.', attempts: 1 }
    const { events, writer } = await play([[content('Hel'), cut]])
    expect(events.slice(2)).toEqual([
      delta(0, 'Hel'),
      row(1, answer('Hel', { interrupted: 'failed' })),
      row(2, failed('e3', failure)),
      { type: 'ended', outcome: 'failed', failure },
    ])
    expect(writer.partial).toBeUndefined()
  })

  it('tells every retry and counts them', async () => {
    const failure = (attempts: number) => ({
      kind: 'server',
      message: 'Busy.',
      advice: 'Wait.',
      attempts,
    })
    const { events } = await play([[busy], [content('hi'), finish()]])
    expect(events.slice(1, 4)).toEqual([
      requested,
      { type: 'retrying', attempt: 2, waitMs: 1000, failure: failure(1) },
      { ...requested, attempt: 2 },
    ])
    const all = await play([[busy], [busy], [busy], [busy]])
    expect(all.events.at(-1)).toEqual({ type: 'ended', outcome: 'failed', failure: failure(4) })
  })

  it('takes an answer without a word for a failure', async () => {
    const { events } = await play([[content('\n'), content('  '), finish()]])
    expect(events.at(-1)).toEqual({
      type: 'ended',
      outcome: 'failed',
      failure: {
        kind: 'server',
        message: '"some/model" returned an empty answer.',
        advice: 'Try again, or choose another model.',
        attempts: 1,
      },
    })
    expect(events.filter(({ type }) => type === 'appended')).toHaveLength(2)
  })

  it('says when reasoning used up the whole answer, and keeps it', async () => {
    const { events } = await play([[reasoning('hm'), finish('length')]])
    expect(events.at(-3)).toEqual(
      row(1, answer('', { reasoning: 'hm', finish: 'length', interrupted: 'failed' })),
    )
    expect(events.at(-1)).toMatchObject({ outcome: 'failed', failure: { kind: 'too-long' } })
  })

  it('throws a mistake of its own after keeping what came', async () => {
    const { writer, thrown } = await play([[content('Hel'), new TypeError('bug') as never]])
    expect(thrown).toBeInstanceOf(TypeError)
    expect(writer.entries.at(-1)).toMatchObject(answer('Hel', { interrupted: 'failed' }))
  })
})

describe('a run whose disk or lock fails', () => {
  const failing = (operation: string, code: ErrorCode, times = 1) => {
    let left = times
    return memoryWriter('garden', {
      fails: (now) => (now === operation && left-- <= 0 ? code : undefined),
    })
  }

  it('throws when the message cannot be written: nothing is asked', async () => {
    const { events, thrown, requests } = await play([[content('hi'), finish()]], {
      writer: failing('append message', 'disk-full', 0),
    })
    expect([events, (thrown as AppError).code, requests]).toEqual([[], 'disk-full', []])
  })

  it('keeps the partial file when the answer cannot be written, and tells it at the end', async () => {
    const { events, writer } = await play([[content('Hello'), finish()]], {
      writer: failing('append message', 'disk-full'),
    })
    expect(events.slice(2)).toEqual([
      delta(0, 'Hello'),
      {
        type: 'ended',
        outcome: 'failed',
        failure: {
          kind: 'storage',
          message: 'append message: disk-full',
          advice:
            'Free some space, then try again. The part of the answer that could be written is kept.',
          attempts: 1,
        },
      },
    ])
    expect(writer.partial).toBe('Hello')
  })

  it('tells both failures when the first cannot stand in the transcript', async () => {
    const { events } = await play([[wrongKey]], { writer: failing('append run_error', 'io', 0) })
    expect(events.at(-1)).toMatchObject({
      outcome: 'failed',
      failure: { kind: 'storage', message: 'append run_error: io Before that: No.' },
    })
  })

  it('ends as failed when the partial file cannot begin, and keeps the text that came', async () => {
    const { events } = await play([[content('Hel'), content('lo'), finish()]], {
      writer: failing('start partial', 'disk-full', 0),
    })
    expect(events.slice(2).map((event) => event.type)).toEqual(['appended', 'appended', 'ended'])
    expect(events[2]).toEqual(row(1, answer('Hel', { interrupted: 'failed' })))
    expect(events.at(-1)).toMatchObject({ failure: { kind: 'storage' } })
  })

  it('ends as complete when only the partial file cannot be removed', async () => {
    const { events } = await play([[content('hi'), finish()]], {
      writer: failing('discard', 'io', 0),
    })
    expect(events.at(-1)).toEqual({ type: 'ended', outcome: 'complete' })
  })

  it('stops when its lock is lost, and leaves the text in the partial file', async () => {
    const writer = memoryWriter('garden')
    const { events } = await play([[content('Hel'), () => writer.loseLock(), 'hang']], { writer })
    expect(events.slice(2)).toMatchObject([
      delta(0, 'Hel'),
      { type: 'ended', outcome: 'failed', failure: { kind: 'storage' } },
    ])
    expect([writer.partial, writer.entries.length]).toEqual(['Hel', 1])
  })

  it('says that its lock was lost also where nothing came', async () => {
    const writer = memoryWriter('garden')
    const { events } = await play([[() => writer.loseLock(), 'hang']], { writer })
    expect(events.at(-1)).toMatchObject({ outcome: 'failed', failure: { kind: 'storage' } })
  })
})
