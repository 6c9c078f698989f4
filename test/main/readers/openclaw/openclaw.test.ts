import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { splitOpenclawWords } from '../../../../src/main/readers/openclaw/inbound'
import { openclawReader } from '../../../../src/main/readers/openclaw/openclaw'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')
const header = (id: string) => ({
  type: 'session',
  version: 3,
  id,
  timestamp: '2026-09-10T09:00:00.000Z',
  cwd: '/home/ann',
})
const record = (id: string, parentId: string | null, message: object) => ({
  type: 'message',
  id,
  parentId,
  timestamp: '2026-09-10T09:00:01.000Z',
  message,
})
const asked = (id: string, parentId: string | null, content: string, more: object = {}) =>
  record(id, parentId, { role: 'user', content, ...more })

function read(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/claw', name), Buffer.from(text))
  return readRoot(openclawReader, '/claw', historyDisk(disk), signal)
}

it('lists the sessions of every agent, also ended ones, and no copies or deleted ones', async () => {
  const talk = (id: string) => lines(header(id), asked('a', null, `in ${id}`))
  const { conversations } = await read({
    'agents/main/sessions/s1.jsonl': talk('s1'),
    'agents/main/sessions/s0.jsonl.reset.2026-09-09T08-00-00.000Z': talk('s0'),
    'agents/main/sessions/s1.checkpoint.0b1c2d3e-4f50-4a6b-8c7d-9e0f1a2b3c4d.jsonl': talk('s1'),
    'agents/main/sessions/s2.jsonl.deleted.2026-09-09T08-00-00.000Z': talk('s2'),
    'agents/main/sessions/s1.trajectory.jsonl': talk('s1'),
    'agents/gardener/sessions/s3.jsonl': talk('s3'),
    'openclaw.json': '{}',
  })
  expect(conversations.map(({ key, title }) => [key, title])).toEqual([
    ['s3', 'in s3'],
    ['s0.reset.2026-09-09T08-00-00.000Z', 'in s0'],
    ['s1', 'in s1'],
  ])
})

it('names a session as its agent’s list does, and puts a helper below who began it, also of another agent', async () => {
  const { conversations } = await read({
    'agents/main/sessions/s1.jsonl': lines(header('s1'), asked('a', null, 'hello')),
    'agents/main/sessions/sessions.json': JSON.stringify({
      'agent:main:main': { sessionId: 's1', displayName: 'Ann' },
    }),
    'agents/frost/sessions/s2-topic-5.jsonl': lines(header('s2'), asked('a', null, 'frost?')),
    'agents/frost/sessions/sessions.json': JSON.stringify({
      'agent:frost:subagent:x': {
        sessionId: 's2',
        sessionFile: 'C:\\claw\\s2-topic-5.jsonl',
        spawnedBy: 'agent:main:main',
      },
      'agent:frost:odd': { sessionId: 7 },
    }),
  })
  expect(conversations.map(({ key, title, parent }) => [key, title, parent?.key])).toEqual([
    ['s2-topic-5', 'frost?', 's1'],
    ['s1', 'Ann', undefined],
  ])
})

it('is where a record says that only tells that', async () => {
  const { conversations } = await read({
    'agents/main/sessions/s1.jsonl': lines(
      header('s1'),
      asked('a', null, 'one'),
      asked('b', 'a', 'two'),
      {
        type: 'leaf',
        id: 'l',
        parentId: 'b',
        targetId: 'a',
        timestamp: '2026-09-10T09:00:02.000Z',
      },
    ),
  })
  expect(conversations[0]?.active).toEqual(['a'])
})

describe('a person’s words', () => {
  const wrappers = (text: string) =>
    splitOpenclawWords(text).map(({ wrapper, content }) => [wrapper, content])

  it('are told from what OpenClaw puts in front of them, in the newer and the older form', () => {
    const block = (label: string) => `${label}\n\`\`\`json\n{\n  "a": "\`"\n}\n\`\`\`\n\n`
    for (const label of ['Sender (untrusted metadata):', 'Conversation info: ⟦openclaw:ctx⟧'])
      expect(wrappers(`${block(label)}close [it]`)).toEqual([
        ['inbound_metadata', block(label).trim()],
        [undefined, 'close [it]'],
      ])
    expect(wrappers('[Telegram Ann id:7 2026-09-10 09:00 UTC] hello\nyou')).toEqual([
      ['envelope', '[Telegram Ann id:7 2026-09-10 09:00 UTC]'],
      [undefined, 'hello\nyou'],
    ])
    const memory = 'Context:\n<active_memory_plugin>\nlikes tea\n</active_memory_plugin>'
    expect(wrappers(`${memory}\n\ntea?`)).toEqual([
      ['active_memory', memory],
      [undefined, 'tea?'],
    ])
    expect(wrappers('Read HEARTBEAT.md if it exists')).toEqual([
      ['heartbeat', 'Read HEARTBEAT.md if it exists'],
    ])
  })

  it('are theirs where the same stands further on', () => {
    for (const text of [
      'see [Thu 2026-09-10 09:00 UTC]',
      '[a note] without a time',
      'x\nSender (untrusted metadata):\n```json\n{}\n```\n',
      'System: down',
      '',
    ])
      expect(wrappers(text)).toEqual([[undefined, text]])
  })

  it('lose nothing but white space, whatever they are', () => {
    const piece = fc.constantFrom(
      '[Thu 2026-09-10 09:00 UTC] ',
      'Sender (untrusted metadata):\n```json\n{}\n```\n\n',
      'System: [now] x\n',
      '⟦openclaw:ctx⟧',
      '\n',
      'a',
      '[',
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const text = pieces.join('')
        const parts = splitOpenclawWords(text).map(({ content }) => content)
        const bare = (one: string) => one.replace(/\s/g, '')
        expect(bare(parts.join(''))).toBe(bare(text))
      }),
    )
  })
})
