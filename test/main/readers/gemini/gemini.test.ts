import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openHistories } from '../../../../src/main/library/sources/histories'
import { openTranscripts } from '../../../../src/main/library/sources/library-transcripts'
import { geminiReader } from '../../../../src/main/readers/gemini/gemini'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { openStore } from '../../../../src/main/store/open-store'
import { libraryKeyOf } from '../../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../../src/shared/model/conversation/entry'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const chats = 'tmp/roses/chats'
const file = `${chats}/session-2026-09-10T10-00-a1e6d3c6.jsonl`
const session = 'a1e6d3c6-36b0-42e8-af90-e58fa9f1f230'

const fields = (more: object = {}) => ({
  sessionId: session,
  startTime: '2026-09-10T09:00:00Z',
  ...more,
})
const message = (id: string, type: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: '2026-09-10T09:01:00Z',
  type,
  content,
  ...more,
})
const lines = (...all: readonly object[]) => all.map((one) => `${JSON.stringify(one)}\n`).join('')

function diskWith(files: Readonly<Record<string, string>>) {
  const disk = memoryDisk()
  for (const [name, text] of Object.entries(files))
    disk.put(path.posix.join('/gemini', name), Buffer.from(text))
  return historyDisk(disk)
}

const read = (files: Readonly<Record<string, string>>, root = '/gemini') =>
  readRoot(geminiReader, root, diskWith(files), signal)

async function sessionOf(...all: readonly object[]) {
  const { conversations, files } = await read({ [file]: lines(...all) })
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('nothing was read')
  const path = conversation.active.map(
    (id) => conversation.entries.find((entry) => entry.id === id)?.content,
  )
  return { conversation, entries: conversation.entries, path, ledger: files[0] }
}

describe('finding sessions', () => {
  const files = {
    [file]: lines(fields(), message('m1', 'user', 'a')),
    [`${chats}/${session}/dc4b.jsonl`]: lines(
      { sessionId: 'dc4b' },
      message('s1', 'user', 'count'),
    ),
    'tmp/roses/.project_root': '/home/mira/roses\n',
    'tmp/roses/logs.json': '[]',
    'tmp/beds/chats/session-old.json': JSON.stringify({
      ...fields({ sessionId: 'old' }),
      messages: [message('m1', 'user', 'b'), message('m2', 'gemini', 'B')],
    }),
    'projects.json': JSON.stringify({ projects: { '/home/mira/beds': 'beds' } }),
  }

  it('reads sessions of lines, documents and subagents of all projects, with the projects’ folders', async () => {
    const { conversations, files: ledgers } = await read(files)
    expect(
      conversations.map(({ key, title, project, parent, entries }) => [
        key,
        title,
        project,
        parent?.key,
        entries.map(({ content }) => content),
      ]),
    ).toEqual([
      ['old', 'b', '/home/mira/beds', undefined, ['b', 'B']],
      [`${session}/dc4b`, 'count', '/home/mira/roses', session, ['count']],
      [session, 'a', '/home/mira/roses', undefined, ['a']],
    ])
    expect(ledgers).toHaveLength(3)
  })

  it('reads a folder inside, and one file', async () => {
    const keysIn = async (root: string) =>
      (await read(files, `/gemini/${root}`)).conversations.map(({ key }) => key)
    expect(await keysIn('tmp')).toHaveLength(3)
    expect(await keysIn('tmp/roses')).toEqual([`${session}/dc4b`, session])
    expect(await keysIn(chats)).toEqual([`${session}/dc4b`, session])
    expect(await keysIn(file)).toEqual([session])
    expect(await keysIn('tmp/beds/chats/session-old.json')).toEqual(['old'])
    expect(await keysIn('projects.json')).toEqual([])
  })

  it('takes a session that is there as a document and as lines for one', async () => {
    const document = JSON.stringify({ ...fields(), messages: [message('m1', 'user', 'a')] })
    const both = { ...files, [file.replace('.jsonl', '.json')]: document }
    const { conversations } = await read(both)
    const own = conversations.filter(({ key }) => key === session)
    expect(own.map(({ entries }) => entries.length)).toEqual([1])
  })
})

it('reads a document with zeros behind its end, and says that they are there', async () => {
  const document = JSON.stringify({ ...fields(), messages: [message('m1', 'user', 'a')] })
  const name = file.replace('.jsonl', '.json')
  const { conversations, unread } = await read({ [name]: `${document}\0\0\0` })
  expect(conversations.map(({ entries }) => entries.map(({ content }) => content))).toEqual([['a']])
  expect(JSON.stringify(unread)).toContain('3 bytes behind the end of the document')
  expect((await read({ [name]: `${document} \n` })).unread).toEqual([])
})

it('reads of a document that ends early what is whole, and says so', async () => {
  const messages = [message('m1', 'user', 'a'), message('m2', 'gemini', 'A')]
  const document = JSON.stringify({ ...fields(), messages })
  const name = file.replace('.jsonl', '.json')
  let before = 0
  for (let end = document.indexOf('"messages"') + 12; end < document.length; end++) {
    const { conversations, unread } = await read({ [name]: document.slice(0, end) })
    const texts = conversations.flatMap(({ entries }) => entries.map(({ content }) => content))
    expect(['a', 'A'].slice(0, texts.length)).toEqual(texts)
    expect(texts.length).toBeGreaterThanOrEqual(before)
    expect(unread).toHaveLength(1)
    before = texts.length
  }
  expect(before).toBe(2)
})

describe('a session', () => {
  it('has the last version of a message that was written again, at its place', async () => {
    const { entries, ledger } = await sessionOf(
      fields(),
      message('m1', 'user', 'a'),
      message('m2', 'gemini', 'draft'),
      message('m3', 'info', 'wait'),
      message('m2', 'gemini', 'final', { thoughts: [{ subject: 'S', description: 'D' }] }),
    )
    expect(entries.map(({ id, content, parent }) => [id, content, parent])).toEqual([
      ['m1', 'a', null],
      ['m2', 'S\n\nD', 'm1'],
      ['m2#2', 'final', 'm2'],
      ['m3', 'wait', 'm2'],
    ])
    expect(ledger).toMatchObject({ lines: 5, entryLines: 4, control: 1 })
  })

  it('keeps what was taken back as a branch, and goes on from before it', async () => {
    const { path: way, entries } = await sessionOf(
      fields(),
      message('m1', 'user', 'a'),
      message('m2', 'gemini', 'A'),
      message('m3', 'user', 'b'),
      { $rewindTo: 'm3' },
      message('m4', 'user', 'c'),
    )
    expect(entries).toHaveLength(4)
    expect(way).toEqual(['a', 'A', 'c'])
    const all = await sessionOf(
      message('m1', 'user', 'a'),
      { $rewindTo: 'x' },
      message('m1', 'user', 'b'),
    )
    expect([all.entries.map(({ id }) => id), all.path]).toEqual([['m1', 'm1@3'], ['b']])
  })

  it('takes over a new list of messages, and what it shares with the old one is there once', async () => {
    const { path: way, entries } = await sessionOf(
      message('m1', 'user', 'a'),
      message('m2', 'gemini', 'A'),
      message('m3', 'user', 'b'),
      { $set: { messages: [message('m1', 'user', 'a'), message('n2', 'gemini', 'N')] } },
      message('m4', 'user', 'c'),
    )
    expect(way).toEqual(['a', 'N', 'c'])
    expect(entries.map(({ id }) => id)).toEqual(['m1', 'm2', 'm3', 'n2', 'm4'])
  })

  it('has calls with their results, failures, tokens and the model', async () => {
    const answered = (output: string) => [{ functionResponse: { response: { output } } }]
    const toolCalls = [
      { id: 'c1', name: 'look', args: { a: 1 }, result: answered('seen'), status: 'success' },
      { id: 'c2', name: 'ask', args: {}, resultDisplay: 'refused', status: 'error', result: null },
      { id: 'c3', name: 'wait', args: {} },
    ]
    const tokens = { input: 50, output: 6, cached: 20, thoughts: 4, tool: 1, total: 61 }
    const { entries } = await sessionOf(
      message('m', 'gemini', '', { toolCalls, tokens, model: 'g' }),
    )
    expect(
      entries.map(({ id, entry_type, from, content, tool_call_id }) => [
        id,
        entry_type,
        from,
        content,
        tool_call_id,
      ]),
    ).toEqual([
      ['m', 'tool_call', 'gemini', '{"a":1}', 'c1'],
      ['m#2', 'tool_result', 'look', 'seen', 'c1'],
      ['m#3', 'tool_call', 'gemini', '{}', 'c2'],
      ['m#4', 'tool_result', 'ask', 'refused', 'c2'],
      ['m#5', 'tool_call', 'gemini', '{}', 'c3'],
    ])
    expect(entries[3]?.metadata?.is_error).toBe(true)
    expect(entries[0]?.metadata).toEqual({
      model: 'g',
      usage: { input: 51, cached: 20, output: 10, reasoning: 4 },
    })
  })

  it('opens a message as it is now where search found what it was', async () => {
    const all = [
      message('m1', 'user', 'a'),
      message('m2', 'gemini', 'draft'),
      message('m2', 'gemini', 'final'),
    ]
    const disk = diskWith({ [file]: lines(fields(), ...all) })
    const histories = openHistories(disk, [{ source: 'gemini', path: '/gemini' }])
    const transcripts = openTranscripts({
      disk,
      store: openStore({ home: '/home', disk }),
      histories,
    })
    const offset = Buffer.byteLength(lines(fields(), ...all.slice(0, 1)))
    const around = { file, offset, entry: EntryId.parse('m2') }
    const { rows } = await transcripts.page(libraryKeyOf('gemini', session), { around }, 5)
    expect(rows.map((row) => (row.type === 'entry' ? row.entry.content : ''))).toEqual([
      'a',
      'final',
    ])
  })
})

it('accounts for every line, whatever is in it', async () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const id = fc.constantFrom('a', 'b', 'c')
  const type = fc.constantFrom('user', 'gemini', 'info', 'new')
  const some = fc.record({
    id,
    timestamp: fc.constant('2026-09-10T09:00:00Z'),
    type,
    content: value,
    toolCalls: value,
    thoughts: value,
    tokens: value,
  })
  const line = fc.oneof(
    fc.string(),
    value.map((one) => JSON.stringify(one)),
    some.map((one) => JSON.stringify(one)),
    id.map((one) => JSON.stringify({ $rewindTo: one })),
    fc.array(some, { maxLength: 3 }).map((messages) => JSON.stringify({ $set: { messages } })),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 9 }), async (all) => {
      const { files, conversations } = await read({
        [file]: all.map((one) => one.replaceAll('\n', ' ')).join('\n'),
      })
      const [ledger] = files
      if (ledger === undefined) throw new Error('no ledger')
      const { entryLines, control, blank, damaged } = ledger
      expect(entryLines + control + blank + damaged.length).toBe(ledger.lines)
      for (const { entries } of conversations)
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
    }),
    { numRuns: 300 },
  )
})
