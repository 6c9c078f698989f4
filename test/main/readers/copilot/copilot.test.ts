import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import { copilotReader } from '../../../../src/main/readers/copilot/copilot'
import { readRoot } from '../../../../src/main/readers/read-root'
import { openStore } from '../../../../src/main/store/open-store'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const session = '1db65286-ba40-41b8-aeb6-1552ed52219e'
const events = `session-state/${session}/events.jsonl`

let made = 0
/** An event; `more` may name its subagent. */
function event(type: string, data: object, more: object = {}) {
  made += 1
  const timestamp = '2026-09-10T09:00:00.000Z'
  return JSON.stringify({ type, data, id: `event-${made}`, timestamp, parentId: null, ...more })
}

const start = () =>
  event('session.start', { sessionId: session, context: { cwd: '/home/mira/espalier' } })
const asked = (content: string, more: object = {}) => event('user.message', { content }, more)
const answered = (content: string, data: object = {}, more: object = {}) =>
  event('assistant.message', { content, toolRequests: [], ...data }, more)
const lines = (...all: readonly string[]) => all.map((line) => `${line}\n`).join('')

function diskWith(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk()
  for (const [file, text] of Object.entries(files))
    disk.put(path.posix.join('/copilot', file), Buffer.from(text))
  return disk
}

const read = (files: Readonly<Record<string, string>>, root = '/copilot') =>
  readRoot(copilotReader, root, diskWith(files), signal)

async function entriesOf(...all: readonly string[]): Promise<readonly Entry[]> {
  const { conversations } = await read({ [events]: lines(...all) })
  return conversations[0]?.entries ?? []
}

describe('finding sessions', () => {
  const files = {
    [events]: lines(start(), asked('a')),
    [`session-state/${session}/checkpoints/index.md`]: '# c',
    'session-state/older.jsonl': lines(start(), asked('b')),
    'session-state/.lock': '',
    'config.json': '{}',
    'logs/process.log': 'x',
  }
  const keysIn = async (root?: string) =>
    (await read(files, root)).conversations.map(({ key }) => key)

  it('reads folders of sessions and the older files, and nothing else of the folder', async () => {
    expect(await keysIn()).toEqual([session, 'older'])
    expect(await keysIn('/copilot/session-state')).toEqual([session, 'older'])
  })

  it('reads the folder of one session, and one file', async () => {
    expect(await keysIn(`/copilot/session-state/${session}`)).toEqual([session])
    expect(await keysIn(`/copilot/${events}`)).toEqual([session])
    expect(await keysIn('/copilot/session-state/older.jsonl')).toEqual(['older'])
    expect(await keysIn('/copilot/logs/process.log')).toEqual([])
  })
})

describe('titles', () => {
  const titleOf = async (yaml: string, ...all: readonly string[]) => {
    const workspace = `session-state/${session}/workspace.yaml`
    const { conversations } = await read({ [events]: lines(...all), [workspace]: yaml })
    return conversations[0]?.title
  }
  const named = event('session.title_changed', { title: 'Later' })

  it('are the name in workspace.yaml, however it is quoted', async () => {
    for (const [yaml, title] of [
      ['id: x\nname: Espalier, winter cut\n', 'Espalier, winter cut'],
      ["name: 'it''s late' # by hand\r\n", "it's late"],
      ['name: "a \\"b\\"\\u00e9"\n', 'a "b"é'],
      ['name: plain # by hand\n', 'plain'],
    ] as const)
      expect(await titleOf(yaml, start(), asked('prune'), named)).toBe(title)
  })

  it('are else the last that the session was given, else a person’s first words', async () => {
    const skill = event('user.message', { content: '<skill-context>', source: 'skill-x' })
    for (const yaml of ['', 'name:\n', 'name: |\n  two\n', 'names: x\n', 'name: "torn\n']) {
      expect(await titleOf(yaml, start(), asked('prune'), named)).toBe('Later')
      expect(await titleOf(yaml, start(), skill, asked('prune'))).toBe('prune')
    }
    expect(await titleOf('', start())).toBe(session)
  })
})

describe('subagents', () => {
  const agent = { agentId: 'agent-1' }
  const all = [
    start(),
    asked('prune'),
    answered('I ask.', { toolRequests: [{ toolCallId: 'call_1', name: 'task', arguments: {} }] }),
    event('subagent.started', { toolCallId: 'call_1', agentDisplayName: 'Explore' }, agent),
    asked('count the spurs', agent),
    answered('tier by tier', {}, agent),
    asked('another', { agentId: 'agent-2' }),
    event('tool.execution_complete', { toolCallId: 'call_1', result: { content: '88' } }),
  ]

  it('are conversations of their own, below the session, and the file is accounted for once', async () => {
    const { conversations, files } = await read({ [events]: lines(...all) })
    expect(
      conversations.map(({ key, title, project, parent, entries }) => [
        key,
        title,
        project,
        parent?.key,
        entries.map(({ content }) => content),
      ]),
    ).toEqual([
      [session, 'prune', '/home/mira/espalier', undefined, ['prune', 'I ask.', '{}', '88']],
      [
        `${session}/agent-1`,
        'count the spurs',
        '/home/mira/espalier',
        session,
        ['count the spurs', 'tier by tier'],
      ],
      [`${session}/agent-2`, 'another', '/home/mira/espalier', session, ['another']],
    ])
    expect(
      files.map(({ lines: count, entryLines, control }) => [count, entryLines, control]),
    ).toEqual([[8, 6, 2]])
  })

  it('are found while the file grows, also in a line that was not whole before', async () => {
    const disk = memoryDisk()
    const whole = Buffer.from(lines(...all))
    const told: (readonly [number, number])[] = []
    for (let end = 0; end <= whole.length; end += 40) {
      disk.put(`/copilot/${events}`, whole.subarray(0, end))
      const { conversations } = await readRoot(copilotReader, '/copilot', disk, signal)
      const entries = conversations.reduce((sum, one) => sum + one.entries.length, 0)
      told.push([conversations.length, entries])
    }
    disk.put(`/copilot/${events}`, whole)
    const { conversations } = await readRoot(copilotReader, '/copilot', disk, signal)
    expect(conversations.map(({ entries }) => entries.length)).toEqual([4, 2, 1])
    expect(told).toEqual(told.slice().sort(([a, b], [c, d]) => a - c || b - d))
  })

  it('have pages of their own lines alone, and an original of them', async () => {
    const disk = diskWith({ [events]: lines(...all) })
    const histories = openHistories(disk, [{ source: 'copilot', path: '/copilot' }])
    const store = openStore({ home: '/home', disk })
    const transcripts = openTranscripts({ disk, store, histories })
    const wordsOf = async (key: string) => {
      const { rows } = await transcripts.page(libraryKeyOf('copilot', key), 'end', 20)
      return rows.map((row) => (row.type === 'entry' ? row.entry.content : 'damaged'))
    }
    await histories.list()
    expect(await wordsOf(`${session}/agent-1`)).toEqual(['count the spurs', 'tier by tier'])
    expect(await wordsOf(session)).toEqual(['prune', 'I ask.', '{}', '88'])
    const bytesOf = async (key: string) => {
      const { bytes } = await transcripts.original(libraryKeyOf('copilot', key))
      const pieces: Uint8Array[] = []
      for await (const piece of bytes(signal)) pieces.push(piece)
      return Buffer.concat(pieces).toString()
    }
    expect(await bytesOf(`${session}/agent-1`)).toBe(lines(...all.slice(4, 6)))
    expect(await bytesOf(session)).toBe(lines(...all))
  })
})

describe('events', () => {
  it('of thoughts are not repeated with the words that follow', async () => {
    const entries = await entriesOf(
      event('assistant.reasoning', { content: 'count first' }),
      answered('I count.', { reasoningText: 'count first' }),
      answered('Done.', { reasoningText: 'count first' }),
    )
    expect(entries.map(({ content, metadata }) => [content, metadata?.reasoning])).toEqual([
      ['count first', undefined],
      ['I count.', undefined],
      ['Done.', 'count first'],
    ])
  })

  it('of words and calls are an entry each, with the tokens at the first', async () => {
    const call = { toolCallId: 'call_1', name: 'bash', arguments: { command: 'ls' } }
    const told = { toolRequests: [call, call], outputTokens: 9, model: 'm' }
    const entries = await entriesOf(
      answered('', { ...told, reasoningText: 'hm' }),
      answered('x', told),
    )
    expect(
      entries.map(({ id, entry_type, metadata }) => [
        id,
        entry_type,
        metadata?.usage,
        metadata?.model,
      ]),
    ).toEqual([
      ['L1', 'reasoning', undefined, 'm'],
      ['L1#2', 'tool_call', { output: 9 }, 'm'],
      ['L1#3', 'tool_call', undefined, 'm'],
      ['L2', 'message', { output: 9 }, 'm'],
      ['L2#2', 'tool_call', undefined, 'm'],
      ['L2#3', 'tool_call', undefined, 'm'],
    ])
  })

  it('of results have their tool’s name, their failure, and what else they say', async () => {
    const entries = await entriesOf(
      event('tool.user_requested', { toolCallId: 'c', toolName: 'bash', arguments: {} }),
      event('tool.execution_complete', {
        toolCallId: 'c',
        success: false,
        error: { message: 'refused', code: 'denied' },
        toolTelemetry: {},
      }),
      event('tool.execution_complete', { result: { content: 'a', detailedContent: 'a, b' } }),
    )
    expect(entries.slice(1)).toMatchObject([
      { from: 'bash', content: 'refused', metadata: { is_error: true } },
      {
        from: 'tool',
        content: 'a',
        metadata: { raw_fields: { result: { detailedContent: 'a, b' } } },
      },
    ])
  })

  it('of unknown types are kept, and errors are said', async () => {
    const entries = await entriesOf(
      event('session.error', { message: 'lost' }),
      event('session.error', { code: 7 }),
      event('brand.new', {}),
      JSON.stringify({ no: 'event' }),
    )
    expect(entries.map(({ entry_type, metadata }) => [entry_type, metadata?.raw_type])).toEqual([
      ['message', 'session.error'],
      ['unknown', 'session.error'],
      ['unknown', 'brand.new'],
      ['unknown', ''],
    ])
  })
})

it('accounts for every line, whatever is in it', async () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const type = fc.constantFrom(
    'user.message',
    'assistant.message',
    'assistant.reasoning',
    'tool.user_requested',
    'tool.execution_complete',
    'session.start',
    'session.compaction_complete',
    'new',
  )
  const data = fc.oneof(
    value,
    fc.record({
      content: value,
      toolRequests: fc.oneof(value, fc.array(value, { maxLength: 3 })),
      result: value,
      error: value,
      reasoningText: value,
      context: value,
    }),
  )
  const agentId = fc.constantFrom(undefined, 'a', 'b', '')
  const timestamp = fc.constant('2026-09-10T09:00:00Z')
  const line = fc.oneof(
    fc.string(),
    value.map((one) => JSON.stringify(one)),
    fc
      .record({ id: fc.constant('x'), timestamp, type, data, agentId })
      .map((one) => JSON.stringify(one)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (all) => {
      const text = all.map((one) => one.replaceAll('\n', ' ')).join('\n')
      const { files, conversations } = await read({ [events]: text })
      const [ledger] = files
      if (ledger === undefined) throw new Error('no ledger')
      const { entryLines, control, blank, damaged } = ledger
      expect(entryLines + control + blank + damaged.length).toBe(ledger.lines)
      const told = conversations.flatMap(({ entries }) => entries)
      for (const { entries } of conversations)
        expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length)
      const whole = told.filter(({ metadata }) => metadata?.recovered !== true)
      expect(new Set(whole.map(({ line: number }) => number)).size).toBe(entryLines)
    }),
    { numRuns: 300 },
  )
})
