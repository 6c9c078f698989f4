import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { kimiReader } from '../../../../src/main/readers/kimi/kimi'
import { kimiLine } from '../../../../src/main/readers/kimi/line'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
const time = 1_789_030_800_000
const asked = (text: string, origin: object = { kind: 'user' }) => ({
  type: 'context.append_message',
  time,
  message: { role: 'user', content: [{ type: 'text', text }], toolCalls: [], origin },
})
const loop = (type: string, more: object = {}) => ({
  type: 'context.append_loop_event',
  time,
  event: { type, ...more },
})
const told = (text: string) => loop('content.part', { part: { type: 'text', text } })
const usage = { inputOther: 100, inputCacheRead: 50, inputCacheCreation: 10, output: 7 }

function read(files: Readonly<Record<string, string>>, root = '/kimi') {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/kimi', name), Buffer.from(text))
  return readRoot(kimiReader, root, historyDisk(disk), signal)
}

const session = 'sessions/wd_orchard_0f1e/session_1'

async function sessionOf(...all: readonly object[]) {
  const { conversations } = await read({ [`${session}/agents/main/wire.jsonl`]: lines(...all) })
  const [only] = conversations
  if (only === undefined) throw new Error('nothing was read')
  return only
}

describe('finding sessions', () => {
  const checksum = 'd41d8cd98f00b204e9800998ecf8427e'
  const message = { role: 'user', content: 'cut' }
  const files = {
    [`${session}/agents/main/wire.jsonl`]: lines(asked('dig')),
    [`${session}/agents/a1/wire.jsonl`]: lines(asked('look', { kind: 'system_trigger' })),
    [`${session}/agents/a2/wire.jsonl`]: lines(asked('deeper', { kind: 'system_trigger' })),
    [`${session}/state.json`]: JSON.stringify({
      title: 'Well',
      workDir: '/home/ann',
      agents: { a1: { parentAgentId: 'main' }, a2: { parentAgentId: 'a1' } },
    }),
    [`sessions/${checksum}/s2/context.jsonl`]: lines(message),
    [`sessions/${checksum}/s2/context_1.jsonl`]: lines(message),
    [`sessions/${checksum}/s2/wire.jsonl`]: lines({ type: 'metadata' }),
    [`sessions/${checksum}/s2/state.json`]: JSON.stringify({ custom_title: 'Meadow' }),
    [`sessions/${checksum}/4f0c2a1e-7b6d-4c5e-9a8b-0d1e2f3a4b5c.jsonl`]: lines(message),
    // Of another system: names of Kimi's are ids.
    [`sessions/${checksum}/chat-history-1.jsonl`]: lines(message),
    'kimi.json': JSON.stringify({ work_dirs: [{ path: '' }, { path: 7 }, 'x'] }),
  }

  it('reads those of both programs, agents below who began them, and what was turned away', async () => {
    const { conversations } = await read(files)
    expect(
      conversations.map(({ key, title, project, parent }) => [key, title, project, parent?.key]),
    ).toEqual([
      ['session_1/a1', 'look', '/home/ann', 'session_1'],
      ['session_1/a2', 'deeper', '/home/ann', 'session_1/a1'],
      ['session_1', 'Well', '/home/ann', undefined],
      ['s2', 'Meadow', null, undefined],
      ['s2/context_1', 'cut', null, undefined],
      ['4f0c2a1e-7b6d-4c5e-9a8b-0d1e2f3a4b5c', 'cut', null, undefined],
    ])
  })

  it('reads a folder inside', async () => {
    const keysIn = async (root: string) =>
      (await read(files, `/kimi/${root}`)).conversations.map(({ key }) => key)
    expect(await keysIn('sessions')).toHaveLength(6)
    expect(await keysIn('sessions/wd_orchard_0f1e')).toHaveLength(3)
    expect(await keysIn(session)).toHaveLength(3)
    expect(await keysIn(`sessions/${checksum}/s2`)).toEqual(['s2', 's2/context_1'])
    expect(await keysIn(`${session}/agents/a2/wire.jsonl`)).toEqual(['session_1/a2'])
  })
})

describe('a session of Kimi Code', () => {
  it('goes on from before what was undone, which stays as a branch, and from nothing after it was cleared', async () => {
    const talk = [
      asked('a'),
      told('A'),
      asked('note', { kind: 'injection' }),
      asked('b'),
      told('B'),
    ]
    const undone = await sessionOf(...talk, { type: 'context.undo', time, count: 1 }, asked('c'))
    const wordsOf = ({ active, entries }: Awaited<ReturnType<typeof sessionOf>>) =>
      active.map((id) => entries.find((entry) => entry.id === id)?.content)
    expect(wordsOf(undone)).toEqual(['a', 'A', 'note', 'c'])
    expect(undone.entries).toHaveLength(6)
    const cleared = await sessionOf(...talk, { type: 'context.clear', time }, asked('c'))
    expect(wordsOf(cleared)).toEqual(['c'])
  })

  it('has the tokens of a step at its first part, once, with the model', async () => {
    const step = (more: object) => [
      loop('step.begin', { step: 1 }),
      { type: 'llm.request', time, kind: 'loop', model: 'k3' },
      { type: 'usage.record', time, usage, usageScope: 'turn' },
      loop('content.part', { part: { type: 'think', think: 'hm' } }),
      told('yes'),
      loop('step.end', { step: 1, ...more }),
    ]
    for (const end of [{ usage }, {}]) {
      const { entries } = await sessionOf(asked('a'), ...step(end), told('later'))
      expect(entries.map(({ metadata }) => [metadata?.model, metadata?.usage])).toEqual([
        [undefined, undefined],
        ['k3', { input: 160, cached: 50, output: 7 }],
        ['k3', undefined],
        ['k3', undefined],
      ])
    }
  })

  it('keeps its entries in their order where a step never ends', async () => {
    const many = Array.from({ length: 450 }, (_, i) => told(`part ${i}`))
    const { entries } = await sessionOf(loop('step.begin'), ...many)
    expect(entries.map(({ content }) => content)).toEqual(many.map((_, i) => `part ${i}`))
  })

  it('is a person’s where its origin says so, whatever it says', async () => {
    const { entries } = await sessionOf(
      asked('<system>mine</system>'),
      asked('theirs', { kind: 'cron_job' }),
      { type: 'context.append_message', time, message: { role: 'user', content: 'old' } },
      {
        type: 'context.append_message',
        time,
        message: {
          role: 'assistant',
          content: [{ type: 'text', text: 'ok' }],
          toolCalls: [{ type: 'function', id: 't1', function: { name: 'Bash', arguments: '{}' } }],
        },
      },
      {
        type: 'context.append_message',
        time,
        message: { role: 'tool', content: [{ type: 'text', text: 'done' }], toolCallId: 't1' },
      },
    )
    expect(
      entries.map(({ entry_type, from, content, metadata }) => [
        entry_type,
        from,
        content,
        metadata?.raw_type,
      ]),
    ).toEqual([
      ['message', 'user', '<system>mine</system>', undefined],
      ['message', 'kimi', 'theirs', 'cron_job'],
      ['message', 'user', 'old', undefined],
      ['message', 'kimi', 'ok', undefined],
      ['tool_call', 'kimi', '{}', undefined],
      ['tool_result', 'Bash', 'done', undefined],
    ])
  })
})

it('makes of any record entries or none, and never fails', () => {
  const part = fc.oneof(
    fc.record(
      {
        type: fc.oneof(fc.constantFrom('text', 'think', 'image_url'), fc.jsonValue()),
        text: fc.jsonValue(),
        think: fc.jsonValue(),
        image_url: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  )
  const message = fc.record({
    role: fc.oneof(fc.constantFrom('user', 'assistant', 'tool', '_usage'), fc.jsonValue()),
    content: fc.oneof(fc.array(part), fc.jsonValue()),
    tool_calls: fc.jsonValue(),
    origin: fc.jsonValue(),
  })
  const event = fc.record({
    type: fc.oneof(fc.constantFrom('content.part', 'tool.call', 'tool.result'), fc.jsonValue()),
    part,
    args: fc.jsonValue(),
    result: fc.jsonValue(),
  })
  const value = fc.oneof(
    message,
    fc.record({
      type: fc.oneof(
        fc.constantFrom('context.append_message', 'context.append_loop_event', 'context.undo'),
        fc.jsonValue(),
      ),
      time: fc.jsonValue(),
      message: fc.oneof(message, fc.jsonValue()),
      event: fc.oneof(event, fc.jsonValue()),
      count: fc.jsonValue(),
    }),
  )
  fc.assert(
    fc.property(value, (one) => {
      const text = JSON.stringify(one)
      const made = kimiLine(JSON.parse(text), text, 'line')
      expect(typeof made).toBe('object')
      if (typeof made === 'object' && made.type === 'entries')
        for (const { content } of made.entries) expect(typeof content).toBe('string')
    }),
  )
})
