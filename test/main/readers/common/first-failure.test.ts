import { expect, it } from 'vitest'
import { DiskError } from '../../../../src/main/disk/interface/disk'
import { aiderReader } from '../../../../src/main/readers/aider/aider'
import { clineReader } from '../../../../src/main/readers/cline/cline'
import type { HistoryReader } from '../../../../src/main/readers/common/reader'
import { copilotReader } from '../../../../src/main/readers/copilot/copilot'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { lmStudioReader } from '../../../../src/main/readers/lm-studio/lm-studio'
import { memoryDisk } from '../../../support/memory-disk'

const { signal } = new AbortController()
const aider = '\n# aider chat started at 2026-03-10 09:00:00\n\n#### a  \n'
const task = [{ role: 'user', content: [{ type: 'text', text: 'a' }] }]
const said = { type: 'singleStep', role: 'user', content: [{ type: 'text', text: 'a' }] }
const studio = {
  name: '',
  createdAt: 1_789_030_800_000,
  messages: [{ versions: [said], currentlySelected: 0 }],
}
const chat = (sessionId: string) => ({
  version: 3,
  creationDate: 1_789_030_800_000,
  sessionId,
  requests: [{ requestId: 'r', message: { text: 'a', parts: [] }, response: [] }],
})

/** A system with a history in each of three folders, of which the second cannot be read, and the keys of the others. */
interface Case {
  readonly name: string
  readonly reader: HistoryReader
  readonly files: Readonly<Record<string, unknown>>
  readonly unreadable: string
  readonly keys: readonly string[]
}

const cases: readonly Case[] = [
  {
    name: 'LM Studio, a folder',
    reader: lmStudioReader,
    files: {
      'conversations/A/1.conversation.json': studio,
      'conversations/B/2.conversation.json': studio,
      'conversations/C/3.conversation.json': studio,
    },
    unreadable: 'conversations/B',
    keys: ['1', '3'],
  },
  ...['b', 'b/.aider.chat.history.md'].map((unreadable) => ({
    name: `aider, ${unreadable === 'b' ? 'a folder' : 'a history'}`,
    reader: aiderReader,
    files: {
      'a/.aider.chat.history.md': aider,
      'b/.aider.chat.history.md': aider,
      'c/.aider.chat.history.md': aider,
    },
    unreadable,
    keys: ['a/2026-03-10T09-00-00', 'c/2026-03-10T09-00-00'],
  })),
  {
    name: 'Cline, a task',
    reader: clineReader,
    files: {
      'tasks/1/api_conversation_history.json': task,
      'tasks/2/api_conversation_history.json': task,
      'tasks/3/api_conversation_history.json': task,
    },
    unreadable: 'tasks/2',
    keys: ['1', '3'],
  },
  ...['workspaceStorage/b', 'workspaceStorage/b/chatSessions'].map((unreadable) => ({
    name: `Copilot in VS Code, ${unreadable}`,
    reader: copilotReader,
    files: {
      'workspaceStorage/a/chatSessions/c1.json': chat('c1'),
      'workspaceStorage/b/chatSessions/c2.json': chat('c2'),
      'workspaceStorage/c/chatSessions/c3.json': chat('c3'),
    },
    unreadable,
    keys: ['c1', 'c3'],
  })),
]

it.each(cases)('lists all but what cannot be read, and then says so: $name', async (one) => {
  const disk = memoryDisk()
  for (const [file, content] of Object.entries(one.files))
    disk.put(
      `/histories/${file}`,
      Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)),
    )
  const denied = (place: string) => new DiskError('denied', place, `${place} cannot be used`)
  const isDenied = (place: string) => place === `/histories/${one.unreadable}`
  const denying = historyDisk({
    ...disk,
    list: async (place) => {
      if (isDenied(place)) throw denied(place)
      return disk.list(place)
    },
    open: async (place, mode) => {
      if (isDenied(place)) throw denied(place)
      return disk.open(place, mode)
    },
  })
  const keys: string[] = []
  const listing = async () => {
    for await (const { key } of one.reader.list('/histories', denying, signal)) keys.push(key)
  }
  await expect(listing()).rejects.toMatchObject({ code: 'unreadable' })
  expect(keys).toEqual(one.keys)
})
