import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { droidReader } from '../../../../src/main/readers/droid/droid'
import { droidLine } from '../../../../src/main/readers/droid/line'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
const start = (id: string, more: object = {}) => ({
  type: 'session_start',
  id,
  title: 'auto title',
  version: 2,
  cwd: '/home/ann',
  ...more,
})
const said = (id: string, parentId: string | undefined, role: string, content: unknown) => ({
  type: 'message',
  id,
  ...(parentId === undefined ? {} : { parentId }),
  timestamp: '2026-09-10T09:00:00.000Z',
  message: { role, content },
})

function read(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/factory', name), Buffer.from(text))
  return readRoot(droidReader, '/factory', historyDisk(disk), signal)
}

async function sessionOf(...all: readonly object[]) {
  const { conversations } = await read({ 'sessions/-home-ann/s.jsonl': lines(start('s'), ...all) })
  const [only] = conversations
  if (only === undefined) throw new Error('nothing was read')
  return only
}

it('lists sessions of every project and of the first versions, subagents below their call', async () => {
  const { conversations } = await read({
    'sessions/-home-ann/s1.jsonl': lines(start('s1', { sessionTitle: 'Named' })),
    'sessions/-home-ann/s1.settings.json': '{}',
    'sessions/-home-ann/s2.jsonl': lines(
      start('s2', {
        title: '# Task Tool Invocation Subagent type: worker',
        callingSessionId: 's1',
        callingToolUseId: 'toolu_1',
      }),
      said('a', undefined, 'user', '# Task Tool Invocation\ncount'),
    ),
    'sessions/s0.jsonl': lines(start('s0')),
  })
  expect(conversations.map(({ key, title, subagentOf }) => [key, title, subagentOf])).toEqual([
    ['s1', 'Named', undefined],
    ['s2', 's2', { key: 's1', call: 'toolu_1' }],
    ['s0', 'auto title', undefined],
  ])
})

it('keeps a turn that was taken back as a branch, and a compaction on the way that goes on', async () => {
  const { entries, active } = await sessionOf(
    said('a', undefined, 'user', 'one'),
    said('b', 'a', 'assistant', 'One'),
    said('c', 'b', 'user', 'two'),
    { type: 'compaction_state', id: 'k', timestamp: '2026-09-10T09:00:01Z', summaryText: 'S' },
    said('d', 'b', 'user', 'three'),
  )
  expect(active).toEqual(['a', 'b', 'd'])
  const next = await sessionOf(
    said('a', undefined, 'user', 'one'),
    said('b', 'a', 'assistant', 'One'),
    { type: 'compaction_state', id: 'k', timestamp: '2026-09-10T09:00:01Z', summaryText: 'S' },
    said('d', 'b', 'user', 'three'),
  )
  expect(next.active).toEqual(['a', 'b', 'k', 'd'])
  expect(entries).toHaveLength(5)
})

it('is one line where versions named no parents', async () => {
  const { active } = await sessionOf(
    said('a', undefined, 'user', 'one'),
    said('b', undefined, 'assistant', 'One'),
    said('c', undefined, 'user', 'two'),
  )
  expect(active).toEqual(['a', 'b', 'c'])
})

it('tells a person’s words from what Droid put in front of them', async () => {
  const reminder = '<system-reminder>today is Thursday</system-reminder>'
  const { entries, title } = await sessionOf(
    said('a', undefined, 'user', [
      { type: 'text', text: reminder },
      { type: 'text', text: 'what is <system-reminder>?' },
    ]),
    said('b', 'a', 'assistant', [{ type: 'thinking', text: 'older form' }]),
  )
  expect(entries.map(({ content, metadata }) => [content, metadata?.injected])).toEqual([
    [reminder, true],
    ['what is <system-reminder>?', undefined],
    ['older form', undefined],
  ])
  expect(title).toBe('auto title')
})

it('makes of any record entries or none, and never fails', () => {
  const block = fc.oneof(
    fc.record(
      {
        type: fc.oneof(fc.constantFrom('text', 'tool_use', 'tool_result', 'image'), fc.jsonValue()),
        text: fc.jsonValue(),
        content: fc.jsonValue(),
        input: fc.jsonValue(),
      },
      { requiredKeys: ['type'] },
    ),
    fc.jsonValue(),
  )
  const value = fc.record({
    type: fc.oneof(fc.constantFrom('message', 'compaction_state', 'session_start'), fc.jsonValue()),
    id: fc.jsonValue(),
    parentId: fc.jsonValue(),
    timestamp: fc.jsonValue(),
    summaryText: fc.jsonValue(),
    message: fc.oneof(
      fc.record({
        role: fc.oneof(fc.constantFrom('user', 'assistant'), fc.jsonValue()),
        content: fc.oneof(fc.array(block), fc.jsonValue()),
      }),
      fc.jsonValue(),
    ),
  })
  fc.assert(
    fc.property(value, (one) => {
      const text = JSON.stringify(one)
      const made = droidLine(JSON.parse(text), text, 'line')
      expect(typeof made).toBe('object')
      if (typeof made === 'object' && made.type === 'entries')
        expect(made.entries.length).toBeGreaterThan(0)
    }),
  )
})
