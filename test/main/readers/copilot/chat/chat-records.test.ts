import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openHistories } from '../../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../../src/main/library/sources/library-transcripts'
import { copilotReader } from '../../../../../src/main/readers/copilot/copilot'
import { historyDisk } from '../../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../../src/main/readers/read-root'
import { openStore } from '../../../../../src/main/store/open-store'
import { libraryKeyOf } from '../../../../../src/shared/model/conversation/conversation'
import { memoryDisk } from '../../../../support/memory-disk'

const signal = new AbortController().signal
const storage = 'workspaceStorage/abc'
const log = `${storage}/chatSessions/chat-1.jsonl`
const document = `${storage}/chatSessions/chat-1.json`

const begin = { version: 3, creationDate: 1_789_030_800_000, sessionId: 'chat-1', requests: [] }
const words = (value: string) => ({ value, supportThemeIcons: false })
const asked = (id: string, text: string, more: object = {}) => ({
  requestId: id,
  timestamp: 1_789_030_860_000,
  message: { text, parts: [] },
  response: [],
  ...more,
})
const all = (chat: object = begin) => ({ kind: 0, v: chat })
const push = (k: readonly unknown[], v: readonly unknown[], more: object = {}) => ({
  kind: 2,
  k,
  v,
  ...more,
})
const put = (k: readonly unknown[], v?: unknown) => ({ kind: 1, k, v })
const lines = (...changes: readonly (object | string)[]) =>
  changes.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join('')

function diskWith(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk()
  for (const [file, text] of Object.entries(files))
    disk.put(path.posix.join('/User', file), Buffer.from(text))
  return historyDisk(disk)
}

const read = (files: Readonly<Record<string, string>>, root = '/User') =>
  readRoot(copilotReader, root, diskWith(files), signal)

async function chatOf(files: Readonly<Record<string, string>>) {
  const { conversations, files: ledgers, unread } = await read(files)
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('nothing was read')
  const { entries, active } = conversation
  const way = active.map((id) => entries.find((entry) => entry.id === id)?.content)
  const told = entries.map(({ entry_type, content }) => `${entry_type} ${content}`)
  return { conversation, entries, way, told, unread, ledger: ledgers[0] }
}

const answerOf = async (response: readonly unknown[], more: object = {}) =>
  chatOf({
    [document]: JSON.stringify({ ...begin, requests: [asked('r', 'q', { response, ...more })] }),
  })

describe('finding chats', () => {
  const chat = (id: string) => lines(all(), push(['requests'], [asked('r1', id)]))
  const files = {
    [log]: chat('a'),
    [`${storage}/workspace.json`]: '{"folder":"file:///home/mira/b%C3%A4ume"}',
    [`${storage}/state.vscdb`]: 'x',
    'workspaceStorage/def/chatSessions/chat-2.jsonl': chat('b'),
    'workspaceStorage/def/workspace.json':
      '{"workspace":"vscode-remote://ssh-remote%2Bhut/home/mira/all.code-workspace"}',
    'workspaceStorage/ghi/state.vscdb': 'x',
    'globalStorage/emptyWindowChatSessions/chat-3.jsonl': chat('c'),
    'globalStorage/transferredChatSessions/chat-4.json': JSON.stringify({
      ...begin,
      requests: [asked('r', 'd')],
    }),
    'globalStorage/emptyWindowChatSessions/empty.jsonl': lines(all()),
    'globalStorage/emptyWindowChatSessions/other.json': '{"a":1}',
    'globalStorage/storage.json': '{}',
    'settings.json': '{}',
  }
  const found = async (root = '/User') =>
    (await read(files, root)).conversations.map(({ key, project }) => [key, project]).sort()

  it('reads those of every workspace and of windows without one, with their folders', async () => {
    expect(await found()).toEqual([
      ['chat-1', '/home/mira/bäume'],
      ['chat-2', '/home/mira/all.code-workspace'],
      ['chat-3', null],
      ['chat-4', null],
    ])
  })

  it('reads a folder inside, and one file', async () => {
    const keys = async (root: string) => (await found(`/User/${root}`)).map(([key]) => key)
    expect(await keys('workspaceStorage')).toEqual(['chat-1', 'chat-2'])
    expect(await found(`/User/${storage}`)).toEqual([['chat-1', '/home/mira/bäume']])
    expect(await found(`/User/${storage}/chatSessions`)).toEqual([['chat-1', '/home/mira/bäume']])
    expect(await found(`/User/${log}`)).toEqual([['chat-1', '/home/mira/bäume']])
    expect(await keys('globalStorage/transferredChatSessions/chat-4.json')).toEqual(['chat-4'])
    expect(await keys('globalStorage/emptyWindowChatSessions/other.json')).toEqual([])
    expect(await keys('settings.json')).toEqual([])
  })

  it('takes a chat that is there in both forms, or in two workspaces, from the file that was written last', async () => {
    const twice = {
      [document]: JSON.stringify({ ...begin, requests: [asked('r1', 'old')] }),
      [log]: lines(all(), push(['requests'], [asked('r1', 'old'), asked('r2', 'new')])),
      'workspaceStorage/zzz/chatSessions/chat-1.jsonl': lines(all()),
    }
    const { conversations } = await read(twice)
    expect(conversations.map(({ entries }) => entries.map(({ content }) => content))).toEqual([
      ['old', 'new'],
    ])
  })

  it('shows what Copilot wrote down where the chat’s own file has no word, and no chat twice', async () => {
    const event = (type: string, data: object) =>
      JSON.stringify({ type, data, id: type, timestamp: '2026-09-10T09:00:00Z', parentId: null })
    const transcript = lines(
      event('session.start', { sessionId: 'chat-1', startTime: '2026-09-10T09:00:00Z' }),
      event('user.message', { content: 'said' }),
    )
    const at = (name: string) => `${storage}/GitHub.copilot-chat/transcripts/${name}.jsonl`
    const both = {
      [log]: lines(all({ ...begin, customTitle: 'Named' })),
      [`${storage}/chatSessions/chat-2.jsonl`]: chat('own'),
      [`${storage}/workspace.json`]: '{"folder":"file:///home/mira/roses"}',
      [at('chat-1')]: transcript,
      [at('chat-2')]: transcript,
      [at('chat-3')]: transcript,
    }
    const { conversations } = await read(both)
    expect(
      conversations.map(({ key, project, entries }) => [key, project, entries[0]?.content]).sort(),
    ).toEqual([
      ['chat-1', '/home/mira/roses', 'said'],
      ['chat-2', '/home/mira/roses', 'own'],
      ['chat-3', '/home/mira/roses', 'said'],
    ])
  })
})

describe('a log of changes', () => {
  it('is played to its end: an answer that was streamed is there once', async () => {
    const { told, conversation } = await chatOf({
      [log]: lines(
        all(),
        push(['requests'], [asked('r1', 'q')]),
        push(['requests', 0, 'response'], [words('The dra')]),
        push(['requests', 0, 'response'], [words('The draft '), words('ends.')], { i: 0 }),
        put(['customTitle'], 'Draft'),
        put(['customTitle'], 'Title'),
        { kind: 3, k: ['requests', 0, 'followups'] },
      ),
    })
    expect(told).toEqual(['message q', 'message The draft ends.'])
    expect(conversation).toMatchObject({ title: 'Title', created: '2026-09-10T09:00:00.000Z' })
  })

  it('keeps requests that were taken out as a branch, also where one is asked again', async () => {
    const { way, entries, conversation } = await chatOf({
      [log]: lines(
        all(),
        push(['requests'], [asked('r1', 'a'), asked('r2', 'b'), asked('r3', 'c')]),
        push(['requests'], [asked('r4', 'd')], { i: 1 }),
        push(['requests'], [asked('r3', 'c again')]),
      ),
    })
    expect(way).toEqual(['a', 'd', 'c again'])
    expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
      ['r1', null],
      ['r2', 'r1'],
      ['r4', 'r1'],
      ['r3', 'r4'],
    ])
    expect(conversation.forkRule).toBe('every-child')
  })

  it('ends where the last request that is left is, when only some were taken out', async () => {
    const { way } = await chatOf({
      [log]: lines(all(), push(['requests'], [asked('r1', 'a'), asked('r2', 'b')]), {
        kind: 2,
        k: ['requests'],
        i: 1,
      }),
    })
    expect(way).toEqual(['a'])
  })

  it('ends before requests that a person has stepped back from, in both forms', async () => {
    const back = { shouldBeRemovedOnSend: { requestId: 'r2' } }
    const inside = { shouldBeRemovedOnSend: { requestId: 'r1', afterUndoStop: 'u' } }
    const requests = [
      asked('r1', 'a', inside),
      asked('r2', 'b', back),
      asked('r3', 'c', { isHidden: true, shouldBeRemovedOnSend: { requestId: 'r3' } }),
    ]
    const chat = { ...begin, requests, customTitle: 'T' }
    const forms = [{ [log]: lines(all(chat)) }, { [document]: JSON.stringify(chat) }]
    for (const form of forms) {
      const { way, entries, conversation } = await chatOf(form)
      expect(way).toEqual(['a'])
      expect(entries.map(({ id, parent }) => [id, parent])).toEqual([
        ['r1', null],
        ['r2', 'r1'],
        ['r3', 'r2'],
      ])
      expect(conversation.title).toBe('T')
    }
  })

  it('keeps changes that nobody knows, and those that fit nowhere', async () => {
    const strange = [
      { kind: 7, k: ['a'], v: 1 },
      push(['requests', 8, 'response'], [words('lost?')]),
      put(['a', 'b', 'c'], 1),
      { kind: 2, k: ['customTitle'], v: ['x'] },
      { kind: 1, k: ['__proto__', 'polluted'], v: 1 },
    ]
    const { told, ledger } = await chatOf({
      [log]: lines(
        all(),
        put(['customTitle'], 'T'),
        ...strange,
        push(['requests'], [asked('r', 'q')]),
      ),
    })
    expect(told).toEqual(['message q', ...strange.map((one) => `unknown ${JSON.stringify(one)}`)])
    expect(ledger).toMatchObject({ unit: 'message', entryLines: 6, control: 1, damaged: [] })
    expect('polluted' in {}).toBe(false)
  })

  it('reads one whose first line is missing, and whole changes on damaged lines', async () => {
    const first = JSON.stringify(push(['requests'], [asked('r1', 'a')]))
    const glued = `${JSON.stringify(push(['requests'], [asked('r2', 'b')]))}${JSON.stringify(
      push(['requests'], [asked('r3', 'c')]),
    )}`
    const zeros = '\0\0\0\0'
    const { told, ledger } = await chatOf({ [log]: `\uFEFF${lines(first, glued, zeros)}` })
    expect(told).toEqual(['message a', 'message b', 'message c'])
    expect(ledger?.damaged.map(({ line }) => line)).toEqual([5, 6])
  })

  it('shows messages that wait to be sent', async () => {
    const waiting = [{ id: 'p1', kind: 'queued', request: asked('p1', 'later') }]
    const { entries } = await chatOf({
      [log]: lines(all({ ...begin, requests: [asked('r1', 'now')], pendingRequests: waiting })),
    })
    expect(entries.map(({ content, metadata }) => [content, metadata])).toEqual([
      ['now', undefined],
      ['later', { raw_fields: { isPending: true } }],
    ])
  })

  it('tells the same before its last line, wherever that is cut', async () => {
    const before = lines(all(), push(['requests'], [asked('r1', 'a', { response: [words('A')] })]))
    const last = JSON.stringify(push(['requests'], [asked('r2', '{"kind":1}')]))
    for (let end = 0; end <= last.length; end++) {
      const { told, ledger } = await chatOf({ [log]: before + last.slice(0, end) })
      const isWhole = end === last.length
      expect(told).toEqual(['message a', 'message A', ...(isWhole ? ['message {"kind":1}'] : [])])
      expect(ledger?.torn).toBe(end > 0 && !isWhole)
    }
  })
})

it('reads of a document that ends early what is whole, and says so', async () => {
  const requests = [asked('r1', 'a'), asked('r2', 'b', { response: [words('B')] })]
  const whole = JSON.stringify({ ...begin, requests, customTitle: 'T' }, undefined, 1)
  let before = 0
  for (let end = whole.indexOf('"requests"') + 20; end < whole.length; end++) {
    const { told, unread } = await chatOf({ [document]: whole.slice(0, end) })
    expect(['message a', 'message b', 'message B'].slice(0, told.length)).toEqual(told)
    expect(told.length).toBeGreaterThanOrEqual(before)
    expect(unread).toHaveLength(1)
    before = told.length
  }
  expect(before).toBe(3)
})

it('shows a document that is no JSON as damaged, and so what stands behind a chat', async () => {
  for (const written of ['\0\0\0', 'hm']) {
    const { entries, ledger } = await chatOf({ [document]: written })
    expect(entries).toEqual([])
    expect(ledger?.damaged).toHaveLength(1)
  }
  expect((await read({ [document]: ' \n' })).conversations).toEqual([])
  const whole = JSON.stringify({ ...begin, requests: [asked('r', 'q')] })
  const withMore = (more: string) => chatOf({ [document]: `${whole}${more}` })
  const known = await withMore(' {"a":1}\n')
  expect(known.entries.map(({ content }) => content)).toEqual(['q', '{"a":1}'])
  const { ledger } = await withMore('\nrest":"a"}]}')
  expect(ledger).toMatchObject({ entryLines: 1, damaged: [{ line: 3 }] })
  expect((await withMore(' \n\n')).ledger).toMatchObject({ entryLines: 1, damaged: [] })
})

describe('an answer', () => {
  it('is its words and the files that they name, up to what is of another kind', async () => {
    const { told } = await answerOf([
      { kind: 'thinking', value: ['one ', 'two'] },
      words('See '),
      { kind: 'inlineReference', inlineReference: { $mid: 1, path: '/a/reeds.md' } },
      words(' and '),
      { kind: 'inlineReference', name: 'grow()', inlineReference: { uri: { path: '/a/b.ts' } } },
      { kind: 'undoStop', id: 'u' },
      words('.'),
      { kind: 'warning', content: { value: 'Slow.' } },
      {
        kind: 'elicitationSerialized',
        title: 'Go on?',
        message: { value: 'Really' },
        state: 'accepted',
      },
      words('Now:\n```md\n'),
      { kind: 'textEditGroup', uri: { path: '/a/b.md' }, edits: [[{ text: 'x' }], []] },
      words('\n```\n'),
      { kind: 'textEditGroup', uri: { path: '/a/b.md' }, edits: [], done: true },
      { kind: 'warmth', value: 3 },
      7,
    ])
    expect(told).toEqual([
      'message q',
      'reasoning one two',
      'message See reeds.md and grow().',
      'message Slow.',
      'message Go on?\nReally',
      'message Now:',
      'tool_call {"file":"/a/b.md","edits":[{"text":"x"}]}',
      'unknown {"kind":"warmth","value":3}',
      'unknown 7',
    ])
  })

  it('has calls with the arguments and results that the model got', async () => {
    const id = 'toolu_1__vscode-1779494824814'
    const tree = {
      node: {
        type: 1,
        children: [
          { type: 2, text: 'de' },
          { type: 2, text: 'ep' },
        ],
      },
    }
    const metadata = {
      promptTokens: 30,
      outputTokens: 4,
      resolvedModel: 'm-1',
      toolCallRounds: [
        {
          response: '',
          toolCalls: [
            { id, name: 'read_file', arguments: '{"a":1}' },
            { id: 'quiet', name: 'think', arguments: '{}' },
          ],
        },
      ],
      toolCallResults: {
        [id]: { $mid: 20, content: [{ $mid: 21, value: 'seen' }, { value: tree }] },
      },
    }
    const call = {
      kind: 'toolInvocationSerialized',
      toolId: 'copilot_readFile',
      toolCallId: id,
      pastTenseMessage: { value: 'Read reeds.md' },
      isConfirmed: { type: 1 },
    }
    const { entries } = await answerOf([call], {
      result: { metadata },
      modelState: { value: 1, completedAt: 5000 },
    })
    expect(
      entries
        .slice(1)
        .map(({ entry_type, to, from, content, tool_call_id, timestamp, metadata: m }) => [
          entry_type,
          entry_type === 'tool_call' ? to : from,
          content,
          tool_call_id,
          timestamp,
          m,
        ]),
    ).toEqual([
      [
        'tool_call',
        'read_file',
        '{"a":1}',
        'toolu_1',
        null,
        { raw_fields: { message: 'Read reeds.md' }, model: 'm-1', usage: { input: 30, output: 4 } },
      ],
      ['tool_result', 'read_file', 'seen\ndeep', 'toolu_1', null, undefined],
      ['tool_call', 'think', '{}', 'quiet', 5, { model: 'm-1' }],
    ])
  })

  it('has of other calls what VS Code keeps for the screen', async () => {
    const call = (toolCallId: string, more: object) => ({
      kind: 'toolInvocationSerialized',
      toolId: 't',
      toolCallId,
      invocationMessage: 'Doing',
      ...more,
    })
    const { entries } = await answerOf([
      call('c1', {
        toolSpecificData: {
          kind: 'terminal',
          commandLine: { original: 'ls' },
          terminalCommandOutput: { text: 'a.md' },
        },
      }),
      call('c2', {
        resultDetails: { input: '{"q":1}', output: [{ isText: true, value: 'no' }], isError: true },
      }),
      call('c3', { resultDetails: [{ path: '/a' }, { uri: { path: '/b' } }], isConfirmed: false }),
      call('c4', {
        resultDetails: { output: { type: 'data', mimeType: 'image/png', base64Data: 'AA==' } },
      }),
    ])
    expect(
      entries.slice(1).map(({ tool_call_id: id, content, metadata }) => [id, content, metadata]),
    ).toEqual([
      ['c1', '{"command":"ls"}', { raw_fields: { message: 'Doing' } }],
      ['c1', 'a.md', undefined],
      ['c2', '{"q":1}', { raw_fields: { message: 'Doing' } }],
      ['c2', 'no', { is_error: true }],
      ['c3', '{"message":"Doing"}', { raw_fields: { isConfirmed: false } }],
      ['c3', '/a\n/b', undefined],
      ['c4', '{"message":"Doing"}', undefined],
      ['c4', '', { images: [{ url: 'data:image/png;base64,AA==' }] }],
    ])
  })

  it('ends with the failure, and keeps what came with the message', async () => {
    const variables = [
      { kind: 'file', name: 'bed.md', value: { path: '/a/bed.md' } },
      { kind: 'image', name: 'bed.png', mimeType: 'image/png', value: { 0: 137, 1: 80 } },
    ]
    const { entries } = await answerOf([], {
      variableData: { variables },
      result: { errorDetails: { message: 'Out of requests.' } },
      vote: 1,
    })
    expect(entries.map(({ content, role, metadata }) => [content, role, metadata])).toEqual([
      [
        'q',
        'user',
        {
          images: [{ url: 'data:image/png;base64,iVA=' }],
          attachments: [{ filename: 'bed.md', kind: 'file', path: '/a/bed.md' }],
          raw_fields: { vote: 1 },
        },
      ],
      ['Out of requests.', 'system', { raw_type: 'error' }],
    ])
  })
})

it('opens a chat as a page that follows the way to where it is now', async () => {
  const files = {
    [log]: lines(
      all(),
      push(['requests'], [asked('r1', 'a'), asked('r2', 'b')]),
      push(['requests'], [asked('r3', 'c')], { i: 1 }),
    ),
  }
  const disk = diskWith(files)
  const histories = openHistories(disk, [{ source: 'copilot', path: '/User' }])
  const transcripts = openTranscripts({
    disk,
    store: openStore({ home: '/home', disk }),
    histories,
  })
  const { rows } = await transcripts.page(libraryKeyOf('copilot', 'chat-1'), 'end', 5)
  expect(rows.map((row) => (row.type === 'entry' ? row.entry.content : ''))).toEqual(['a', 'c'])
})

it('accounts for every line, whatever is in a log', async () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const id = fc.constantFrom('a', 'b', 'c')
  const request = fc.oneof(
    value,
    fc.record({ requestId: id, message: value, response: value, result: value, isHidden: value }),
  )
  const key = fc.oneof(fc.constantFrom('requests', 'response', 'result', 0, 1), fc.nat(3))
  const change = fc.oneof(
    fc.record({ kind: fc.constant(0), v: fc.record({ requests: fc.array(request) }) }),
    fc.record({ kind: fc.constantFrom(1, 3), k: fc.array(key, { maxLength: 3 }), v: value }),
    fc.record({
      kind: fc.constant(2),
      k: fc.oneof(fc.constant(['requests']), fc.array(key, { maxLength: 3 })),
      v: fc.array(request, { maxLength: 3 }),
      i: fc.option(fc.nat(3), { nil: undefined }),
    }),
  )
  const line = fc.oneof(
    fc.string(),
    value.map((one) => JSON.stringify(one)),
    change.map((one) => JSON.stringify(one)),
    fc.tuple(change, fc.nat(60)).map(([one, end]) => JSON.stringify(one).slice(0, end)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 9 }), async (some) => {
      const text = some.map((one) => one.replaceAll('\n', ' ')).join('\n')
      const { files, conversations, unread } = await read({ [log]: text })
      expect(unread).toEqual([])
      for (const { lines: count, entryLines, control, blank, damaged } of files)
        expect(entryLines + control + blank + damaged.length).toBe(count)
      for (const { entries } of conversations)
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
    }),
    { numRuns: 300 },
  )
})
