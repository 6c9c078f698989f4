import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import type { ProviderStream } from '../../../../src/main/llm/chat/provider'
import type { PreparationRequest, PreparedRun } from '../../../../src/main/llm/run/prepare'
import {
  openRuns,
  type RunProgress,
  type Runs,
  type RunsDeps,
} from '../../../../src/main/llm/run/runs'
import type { Endpoint } from '../../../../src/main/settings/endpoint/endpoint'
import { openStore } from '../../../../src/main/store/open-store'
import type { Tool } from '../../../../src/main/tools/base/tool'
import type { Hooks } from '../../../../src/main/tools/hooks/hooks'
import { LibraryKey } from '../../../../src/shared/model/conversation/conversation'
import { message } from '../../../support/entries'
import { type ScriptStep, scriptedProvider } from '../../../support/scripted-provider'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'
import { asks, call, tool } from '../support/tool-support'

const folder = tempFolders(memoryFolder)
const garden = LibraryKey.parse('garden')
const ofTest = { origin: 'default', where: 'test' } as const
const ready: Endpoint = {
  provider: 'endpoint',
  model: { value: 'test-model', ...ofTest },
  baseUrl: { value: 'http://127.0.0.1:1/v1', ...ofTest },
  username: { value: 'mira', ...ofTest },
  faults: [],
}
const whole: readonly ScriptStep[] = [
  { type: 'content', text: 'Hel' },
  { type: 'content', text: 'lo' },
  { type: 'finish', reason: 'stop' },
]

function prepared({ text, endpoint }: PreparationRequest, tools: readonly Tool[]): PreparedRun {
  const { model, username } = endpoint
  const input = { text, model: model.value, username: username.value, prompt: {} }
  return { input, deps: { tools } }
}

/** Runs over a real store, with everything told kept in one list. */
function setUp(provider: ProviderStream, endpoint: Endpoint = ready, more: Partial<RunsDeps> = {}) {
  const home = path.join(folder(), 'home')
  const store = openStore({ home, disk: nodeDisk })
  const told: string[] = []
  const asked: string[] = []
  let wake: () => void = () => undefined
  const ended = new Promise<void>((resolve) => {
    wake = resolve
  })
  const rowsOnDisk = async () => {
    const page = await store.readPage('garden', 'end', 50)
    return page.rows.map((row) =>
      row.type === 'entry' ? `${row.entry.entry_type} ${row.entry.content}` : 'damaged',
    )
  }
  const runs: Runs = openRuns({
    store,
    async endpoint(context) {
      asked.push(context)
      return endpoint
    },
    provider: () => provider,
    tellDelta: ({ text }) => void told.push(`delta ${text}`),
    tellProgress(progress: RunProgress) {
      told.push(progress.phase)
      if (['complete', 'stopped', 'failed'].includes(progress.phase)) wake()
    },
    async appended() {
      told.push(`on disk: ${(await rowsOnDisk()).length}`)
    },
    ...more,
  })
  return { store, runs, told, asked, ended, rowsOnDisk }
}

it('resolves when the message is on the disk, and tells the answer as done only after it is', async () => {
  const { runs, told, ended, rowsOnDisk } = setUp(scriptedProvider(whole).stream)

  await runs.start({ context: garden, text: 'Hi', create: true })
  expect(told.slice(0, 2)).toEqual(['on disk: 2', 'sending'])
  await ended
  await runs.close()

  expect(await rowsOnDisk()).toEqual([
    'context_created Context created',
    'message Hi',
    'message Hello',
  ])
  const done = told.indexOf('complete')
  expect(told.slice(0, done)).toContain('on disk: 3')
  expect(told.filter((what) => what.startsWith('delta')).join('')).toContain('delta Hel')
})

it('writes nothing when no model can answer', async () => {
  const { runs, store } = setUp(scriptedProvider().stream, {
    ...ready,
    notReady: { code: 'no-key', message: 'There is no key.' },
  })

  await expect(runs.start({ context: garden, text: 'Hi', create: true })).rejects.toMatchObject({
    code: 'no-key',
  })
  expect(await store.exists()).toBe(false)
})

it('runs one answer at a time in a context', async () => {
  const { runs } = setUp(scriptedProvider(['hang']).stream)
  await runs.start({ context: garden, text: 'Hi', create: true })

  await expect(runs.start({ context: garden, text: 'Hi', create: false })).rejects.toMatchObject({
    code: 'busy',
  })
  expect(runs.isRunning('garden')).toBe(true)
  await runs.close()
  expect(runs.isRunning('garden')).toBe(false)
})

it('begins the next run as soon as the end of the one before is told', async () => {
  const texts = ['second', 'third']
  const begun: Promise<string>[] = []
  const { runs, rowsOnDisk } = setUp(scriptedProvider(whole, whole, whole).stream, ready, {
    tellProgress({ phase }) {
      const text = phase === 'complete' ? texts.shift() : undefined
      if (text !== undefined) begun.push(runs.start({ context: garden, text, create: false }))
    },
  })
  await runs.start({ context: garden, text: 'first', create: true })
  await expect.poll(() => begun.length).toBe(2)
  await Promise.all(begun)
  await runs.close()
  expect((await rowsOnDisk()).filter((row) => !row.endsWith('Hello'))).toEqual([
    'context_created Context created',
    'message first',
    'message second',
    'message third',
  ])
})

it('keeps what came when it is stopped, and gives the lock back', async () => {
  let part: () => void = () => undefined
  const came = new Promise<void>((resolve) => {
    part = resolve
  })
  const { runs, store, ended, rowsOnDisk } = setUp(
    scriptedProvider([{ type: 'content', text: 'Half an ans' }, () => part(), 'hang']).stream,
  )
  const runId = await runs.start({ context: garden, text: 'Hi', create: true })
  await came
  runs.cancel(runId)
  await ended
  await runs.close()

  expect((await rowsOnDisk()).at(-1)).toBe('message Half an ans')
  const page = await store.readPage('garden', 'end', 1)
  expect(page.rows[0]).toMatchObject({ entry: { metadata: { interrupted: 'stopped' } } })
  expect(await store.lockState('garden')).toEqual({ state: 'free' })
})

it('tells a window that comes late the text so far', async () => {
  let part: () => void = () => undefined
  const came = new Promise<void>((resolve) => {
    part = resolve
  })
  const { runs } = setUp(
    scriptedProvider([
      { type: 'reasoning', text: 'hm' },
      { type: 'content', text: 'So far' },
      () => part(),
      'hang',
    ]).stream,
  )
  const runId = await runs.start({ context: garden, text: 'Hi', create: true })
  await came
  const [running] = runs.running()

  expect(running).toMatchObject({ runId, key: 'garden', phase: 'streaming', reasoning: 'hm' })
  await runs.close()
  expect(runs.running()).toEqual([])
})

it('refuses to create a context that is there, and leaves it as it is', async () => {
  const { runs, ended, rowsOnDisk } = setUp(scriptedProvider(whole).stream)
  await runs.start({ context: garden, text: 'Hi', create: true })
  await ended
  await runs.close()
  const before = await rowsOnDisk()

  await expect(runs.start({ context: garden, text: 'Again', create: true })).rejects.toMatchObject({
    code: 'exists',
  })
  expect(await rowsOnDisk()).toEqual(before)
})

it('makes a context with what it begins with and the words at once, and asks there', async () => {
  const { runs, told, ended, rowsOnDisk, asked } = setUp(scriptedProvider(whole).stream)
  const entries = [message('before')]
  const beginning = { metadata: { tag: 1 }, entries }

  const like = LibraryKey.parse('meadow')
  await runs.startIn(beginning, { context: garden, text: 'Hi', like })
  expect(told.slice(0, 2)).toEqual(['on disk: 3', 'sending'])
  await ended
  await runs.close()

  expect(asked).toEqual(['meadow'])
  expect(await rowsOnDisk()).toEqual([
    'context_created Context created',
    'message before',
    'message Hi',
    'message Hello',
  ])
})

it('makes no context to ask in when no model can answer', async () => {
  const { runs, store } = setUp(scriptedProvider().stream, {
    ...ready,
    notReady: { code: 'no-model', message: 'No model is chosen.' },
  })
  const beginning = { metadata: {}, entries: [message('before')] }

  await expect(runs.startIn(beginning, { context: garden, text: 'Hi' })).rejects.toMatchObject({
    code: 'no-model',
  })
  expect(await store.exists()).toBe(false)
})

it('says that a context was made when the model cannot be asked in it', async () => {
  const { runs, store, rowsOnDisk } = setUp(scriptedProvider(whole).stream)
  const prompts = path.join(store.home, 'prompts/chibi.md')
  fs.mkdirSync(prompts, { recursive: true })
  const beginning = { metadata: {}, entries: [message('before')] }

  await expect(runs.startIn(beginning, { context: garden, text: 'Hi' })).rejects.toMatchObject({
    message: expect.stringContaining('"garden" was created'),
  })
  expect(await rowsOnDisk()).toHaveLength(3)
  expect(await store.lockState('garden')).toEqual({ state: 'free' })
})

it('runs tools of the context, asks with the run’s id, and tells which are at work', async () => {
  const seen: unknown[] = []
  const write = tool('write', 'writes', async () => 'wrote')
  const { runs, told, ended, rowsOnDisk } = setUp(
    scriptedProvider(
      [{ type: 'content', text: 'I write.' }, ...asks(call('c1', 'write', '{"a":1}'))],
      whole,
    ).stream,
    ready,
    {
      async prepare(request) {
        seen.push(request.context)
        return prepared(request, [write])
      },
      async consent({ runId, key, call: asked, preview }) {
        seen.push([key, asked, preview])
        await expect.poll(() => runs.running()[0]?.calls).toBeDefined()
        const [running] = runs.running()
        seen.push([running?.runId === runId, running?.calls, running?.content])
        return { allowed: true }
      },
    },
  )
  await runs.start({ context: garden, text: 'Hi', create: true })
  await ended
  await runs.close()

  expect(seen).toEqual([
    'garden',
    ['garden', { id: 'c1', tool: 'write', args: { a: 1 } }, { title: 'Run write' }],
    [true, [{ callId: 'c1', name: 'write', phase: 'asking' }], 'I write.'],
  ])
  expect((await rowsOnDisk()).slice(1)).toEqual([
    'message Hi',
    'message I write.',
    'tool_call {"a":1}',
    'tool_result wrote',
    'message Hello',
  ])
  expect(told.at(-1)).toMatch(/^on disk: 6/)
})

it('starts only when the message is on the disk, also after a run that was killed between its calls', async () => {
  const look = tool('look', 'reads', async () => 'seen')
  const { runs, store, told, rowsOnDisk } = setUp(scriptedProvider(whole).stream, ready, {
    prepare: async (request) => prepared(request, [look]),
  })
  const writer = await store.openWriter('garden', { create: true })
  await writer.append({
    ...message(''),
    from: 'garden',
    to: 'look',
    content: '{}',
    entry_type: 'tool_call',
    tool_call_id: 'c1',
  })
  await writer.close()
  await runs.start({ context: garden, text: 'Hi', create: false })
  expect(told[0]).toBe('on disk: 4')
  await runs.close()
  expect((await rowsOnDisk()).slice(1, 4)).toEqual([
    'tool_call {}',
    expect.stringMatching(/^tool_result Error: no result was kept/),
    'message Hi',
  ])
})

it('closes while a plugin is slow at the words: they are kept, and nobody is asked', async () => {
  let reached: () => void = () => undefined
  const slow = new Promise<void>((resolve) => {
    reached = resolve
  })
  const provider = scriptedProvider()
  const hooks: Hooks = {
    hears: () => true,
    call: (point, _data, signal) =>
      point !== 'pre_message'
        ? Promise.resolve([])
        : new Promise((resolve) => {
            signal?.addEventListener('abort', () => resolve([]))
            reached()
          }),
  }
  const { runs, store, rowsOnDisk } = setUp(provider.stream, ready, {
    async prepare(request) {
      const one = prepared(request, [])
      return { ...one, deps: { ...one.deps, hooks } }
    },
  })
  const started = runs.start({ context: garden, text: 'Hi', create: true })
  await slow
  await runs.close()
  await started
  expect(await rowsOnDisk()).toEqual(['context_created Context created', 'message Hi'])
  expect(await store.lockState('garden')).toEqual({ state: 'free' })
  expect(provider.requests).toEqual([])
})

it('has plugins hear the words of a context that is made with them, and keeps what was typed', async () => {
  const provider = scriptedProvider(whole)
  const { runs, store, ended } = setUp(provider.stream, ready, {
    hear: async (context, text) => `${text} (for ${context})`,
  })
  await runs.startIn(
    { metadata: {}, entries: [message('Before')] },
    { context: garden, text: 'Hi' },
  )
  await ended
  await runs.close()
  const page = await store.readPage('garden', 'end', 50)
  const said = page.rows.flatMap((row) => (row.type === 'entry' ? [row.entry] : []))
  expect(said.find(({ content }) => content === 'Hi (for garden)')?.metadata).toEqual({
    typed: 'Hi',
  })
  expect(provider.requests[0]?.messages.at(-1)).toEqual({
    role: 'user',
    content: 'Before\n\nHi (for garden)',
  })
})
