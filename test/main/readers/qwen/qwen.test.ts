import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { qwenLine } from '../../../../src/main/readers/qwen/line'
import { qwenReader } from '../../../../src/main/readers/qwen/qwen'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const session = '7c0f2e14-93b5-4d1a-8a6f-2b9e5d3c1f70'
const chat = `projects/-home-ann/chats/${session}.jsonl`

const record = (uuid: string, parentUuid: string | null, type: string, more: object = {}) => ({
  uuid,
  parentUuid,
  sessionId: session,
  timestamp: '2026-09-10T09:00:00.000Z',
  type,
  cwd: '/home/ann',
  version: '0.22.2',
  ...more,
})
const parts = (...all: readonly object[]) => ({ message: { role: 'user', parts: all } })
const asked = (uuid: string, parent: string | null, text: string, more: object = {}) =>
  record(uuid, parent, 'user', { ...parts({ text }), ...more })
const told = (uuid: string, parent: string | null, text: string, more: object = {}) =>
  record(uuid, parent, 'assistant', { message: { role: 'model', parts: [{ text }] }, ...more })
const system = (uuid: string, parent: string | null, subtype: string, systemPayload: object) =>
  record(uuid, parent, 'system', { subtype, systemPayload })
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')

function read(files: Readonly<Record<string, string>>, root = '/qwen') {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/qwen', name), Buffer.from(text))
  return readRoot(qwenReader, root, historyDisk(disk), signal)
}

async function sessionOf(...all: readonly object[]) {
  const { conversations } = await read({ [chat]: lines(...all) })
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('nothing was read')
  return conversation
}

describe('finding sessions', () => {
  const files = {
    [chat]: lines(asked('u1', null, 'a')),
    'projects/-home-ann/chats/archive/old.jsonl': lines(asked('u2', null, 'b')),
    'tmp/0af3/chats/older.jsonl': lines(asked('u3', null, 'c')),
    [`projects/-home-ann/subagents/${session}/agent-x.jsonl`]: lines(
      asked('s1', null, 'look', { isSidechain: true, agentId: 'x' }),
    ),
    [`projects/-home-ann/subagents/${session}/agent-x.jsonl.stream`]: '{}\n',
    [`projects/-home-ann/subagents/${session}/agent-y.jsonl`]: lines(
      asked('s2', null, 'look deeper', { isSidechain: true, agentId: 'y' }),
    ),
    [`projects/-home-ann/subagents/${session}/agent-y.meta.json`]: JSON.stringify({
      description: 'Deeper',
      parentAgentId: 'x',
      toolUseId: 'call_9',
    }),
    'settings.json': '{}',
  }

  it('reads those of projects, archived and older ones, and subagents below what called them', async () => {
    const { conversations } = await read(files)
    expect(conversations.map(({ key, title, parent }) => [key, title, parent?.key])).toEqual([
      [session, 'a', undefined],
      ['old', 'b', undefined],
      ['older', 'c', undefined],
      [`${session}/agent-x`, 'look', session],
      [`${session}/agent-y`, 'Deeper', `${session}/agent-x`],
    ])
    expect(conversations.at(-1)?.subagentOf).toMatchObject({ call: 'call_9' })
  })

  it('reads a subagent’s file alone', async () => {
    const root = `/qwen/projects/-home-ann/subagents/${session}/agent-x.jsonl`
    const { conversations } = await read(files, root)
    expect(conversations.map(({ key }) => key)).toEqual([`${session}/agent-x`])
  })
})

describe('a session', () => {
  it('goes on from before the turn that it was rewound to, and keeps that as a branch', async () => {
    const { entries, active } = await sessionOf(
      asked('u1', null, 'a'),
      told('u2', 'u1', 'A'),
      asked('u3', 'u2', 'b'),
      told('u4', 'u3', 'B'),
      system('u5', 'u2', 'rewind', { truncatedCount: 2 }),
      asked('u6', 'u5', 'c'),
    )
    expect(active).toEqual(['u1', 'u2', 'u6'])
    expect(entries.map(({ id }) => id)).toEqual(['u1', 'u2', 'u3', 'u4', 'u6'])
  })

  it('is now before a turn that was taken back, also while nothing follows', async () => {
    const { active } = await sessionOf(
      asked('u1', null, 'a'),
      told('u2', 'u1', 'A'),
      asked('u3', 'u2', 'b'),
      system('u4', 'u2', 'rewind', { truncatedCount: 1 }),
      system('u5', 'u3', 'session_artifact_event', {}),
    )
    expect(active).toEqual(['u1', 'u2'])
  })

  it('has its last name, and the session that began it but not that of the one it is a copy of', async () => {
    const named = (uuid: string, customTitle: string) =>
      system(uuid, 'u1', 'custom_title', { customTitle })
    const begun = system('u0', null, 'parent_session', { parentSessionId: 'p' })
    const talk = [asked('u1', 'u0', 'count'), named('u2', 'Bees'), named('u3', 'Wasps')]
    expect(await sessionOf(begun, ...talk)).toMatchObject({ title: 'Wasps', parent: { key: 'p' } })
    const forkedFrom = { sessionId: 's', messageUuid: 'u0' }
    expect(await sessionOf({ ...begun, forkedFrom }, ...talk)).toMatchObject({ parent: null })
  })

  it('shows what a person typed, and apart what the program told the model with it', async () => {
    const hook = '<qwen:user-prompt-submit-context>\nrain\n</qwen:user-prompt-submit-context>'
    const { entries } = await sessionOf(
      record('u1', null, 'user', {
        ...parts({ text: 'expanded words' }, { text: hook }),
        systemPayload: { displayText: '/weather', hookContext: 'rain' },
      }),
      record('u2', 'u1', 'user', {
        ...parts(
          { text: '<system-reminder>be brief</system-reminder>' },
          { text: 'look at <system-reminder> here' },
          { inlineData: { mimeType: 'image/png', data: 'AA' } },
        ),
      }),
    )
    expect(
      entries.map(({ content, metadata = {} }) => [content, metadata.raw_type, metadata.images]),
    ).toEqual([
      ['/weather', undefined, undefined],
      ['expanded words', 'expanded_prompt', undefined],
      [hook, 'hook_context', undefined],
      ['look at <system-reminder> here', undefined, [{ url: 'data:image/png;base64,AA' }]],
      ['<system-reminder>be brief</system-reminder>', 'system-reminder', undefined],
    ])
  })

  it('counts thoughts once, whether they are part of the answer’s count or beside it', async () => {
    const usage = async (usageMetadata: object) =>
      (await sessionOf(told('u1', null, 'x', { usageMetadata }))).entries[0]?.metadata?.usage
    const prompt = { promptTokenCount: 100, thoughtsTokenCount: 21 }
    expect(await usage({ ...prompt, candidatesTokenCount: 40, totalTokenCount: 140 })).toEqual({
      input: 100,
      cached: 0,
      output: 40,
      reasoning: 21,
    })
    expect(
      await usage({ ...prompt, candidatesTokenCount: 19, totalTokenCount: 140 }),
    ).toMatchObject({ output: 40, reasoning: 21 })
  })

  it('has the pictures that a tool answered with, and what was shown where it told the model nothing', async () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AA' } }
    const { entries } = await sessionOf(
      record('u1', null, 'tool_result', {
        ...parts({ functionResponse: { id: 'c1', name: 'draw', parts: [image] } }, image),
        toolCallResult: { callId: 'c1', status: 'cancelled', resultDisplay: 'drawn' },
      }),
      record('u2', 'u1', 'tool_result', {
        ...parts(),
        toolCallResult: { callId: 'c2', status: 'success', resultDisplay: 'done' },
      }),
    )
    expect(entries).toMatchObject([
      { from: 'draw', content: 'drawn', metadata: { is_error: true } },
      { from: 'tool', content: 'done', tool_call_id: 'c2' },
    ])
    expect(entries[0]?.metadata?.images).toHaveLength(2)
  })
})

it('makes of any record entries or none, and never fails', () => {
  const part = fc.oneof(
    fc.record(
      {
        text: fc.oneof(fc.string(), fc.jsonValue()),
        thought: fc.jsonValue(),
        functionCall: fc.jsonValue(),
        functionResponse: fc.oneof(fc.record({ response: fc.jsonValue() }), fc.jsonValue()),
        inlineData: fc.jsonValue(),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  )
  const value = fc.record({
    type: fc.oneof(fc.constantFrom('user', 'assistant', 'tool_result', 'system'), fc.jsonValue()),
    subtype: fc.oneof(
      fc.constantFrom('chat_compression', 'slash_command', 'cron', 'ui_telemetry'),
      fc.jsonValue(),
    ),
    uuid: fc.jsonValue(),
    parentUuid: fc.jsonValue(),
    timestamp: fc.jsonValue(),
    message: fc.oneof(fc.record({ parts: fc.array(part) }), fc.jsonValue()),
    systemPayload: fc.oneof(fc.record({ compressedHistory: fc.jsonValue() }), fc.jsonValue()),
    toolCallResult: fc.jsonValue(),
    usageMetadata: fc.jsonValue(),
  })
  fc.assert(
    fc.property(value, (one) => {
      const text = JSON.stringify(one)
      const made = qwenLine(JSON.parse(text), text, 'line')
      expect(typeof made).toBe('object')
      if (typeof made === 'object' && made.type === 'entries')
        for (const { content } of made.entries) expect(typeof content).toBe('string')
    }),
  )
})
