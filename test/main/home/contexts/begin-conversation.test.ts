import { expect, it } from 'vitest'
import { beginConversation } from '../../../../src/main/home/contexts/begin-conversation'
import type { RunRequest } from '../../../../src/main/llm/run/runs'
import { AppError, type ErrorCode } from '../../../../src/shared/model/basics/errors'
import { RunId } from '../../../../src/shared/model/run/run'

const day = () => new Date(2026, 10, 28).getTime()
const runId = RunId.parse('run-1')

/** A home with contexts, whose runs fail under some names. */
function homeWith(names: readonly string[], failing: Readonly<Record<string, ErrorCode>> = {}) {
  const started: RunRequest[] = []
  const listed: string[] = []
  return {
    started,
    listed,
    now: day,
    async changed(key: string) {
      expect(started.map(({ context }) => context)).toContain(key)
      listed.push(key)
    },
    store: { listContexts: async () => names.map((name) => ({ name }) as never) },
    runs: {
      async start(request: RunRequest) {
        const code = failing[request.context]
        if (code !== undefined) throw new AppError(code, `No ${request.context}.`)
        started.push(request)
        return runId
      },
    },
  }
}

it('begins a conversation in a context named after the day', async () => {
  const home = homeWith([])
  const begun = await beginConversation(home, { text: 'Hello', images: [] })
  expect(begun).toEqual({ key: 'chat-2026-11-28', runId })
  expect(home.started).toEqual([
    { context: 'chat-2026-11-28', text: 'Hello', images: [], create: true },
  ])
})

it('sends the row of the new conversation before it resolves, once its message is durable', async () => {
  const home = homeWith([], { 'chat-2026-11-28': 'exists' })
  await beginConversation(home, { text: 'Hello' })
  expect(home.listed).toEqual(['chat-2026-11-28-2'])
})

it('begins all the same where the row cannot be read', async () => {
  const changed = async () => Promise.reject(new AppError('unreadable', 'No row.'))
  const begun = await beginConversation({ ...homeWith([]), changed }, { text: 'Hello' })
  expect(begun).toEqual({ key: 'chat-2026-11-28', runId })
})

it('takes the next number where the name is taken, in any case of letters', async () => {
  const home = homeWith(['Chat-2026-11-28', 'chat-2026-11-28-2'])
  expect((await beginConversation(home, { text: 'Hello' })).key).toBe('chat-2026-11-28-3')
})

it('goes on to the next name where another process is quicker', async () => {
  const home = homeWith([], { 'chat-2026-11-28': 'exists', 'chat-2026-11-28-2': 'locked' })
  expect((await beginConversation(home, { text: 'Hello' })).key).toBe('chat-2026-11-28-3')
})

it('gives up where no name would help', async () => {
  const home = homeWith([], { 'chat-2026-11-28': 'no-key' })
  await expect(beginConversation(home, { text: 'Hello' })).rejects.toMatchObject({ code: 'no-key' })
  expect(home.started).toEqual([])
})

it('tells each name before anything is written under it, and writes nothing where that fails', async () => {
  const home = homeWith([], { 'chat-2026-11-28': 'exists' })
  const told: [string, number][] = []
  const tell = async (key: string) => void told.push([key, home.started.length])
  await beginConversation(home, { text: 'Hello' }, tell)
  expect(told).toEqual([
    ['chat-2026-11-28', 0],
    ['chat-2026-11-28-2', 0],
  ])
  const refused = async () => Promise.reject(new AppError('disk-full', 'The disk is full.'))
  await expect(beginConversation(home, { text: 'Hello' }, refused)).rejects.toMatchObject({
    code: 'disk-full',
  })
  expect(home.started).toHaveLength(1)
})
