import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clineReader } from '../../../../src/main/readers/cline/cline'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const begun = 1_789_030_800_000
const task = `tasks/${begun}`
const history = `${task}/api_conversation_history.json`
const screen = `${task}/ui_messages.json`

const text = (words: string) => ({ type: 'text', text: words })
const asked = (...content: readonly unknown[]) => ({ role: 'user', content })
const answered = (...content: readonly unknown[]) => ({ role: 'assistant', content })
const shown = (ts: number, say: string, more: object = {}) => ({ ts, type: 'say', say, ...more })
const request = (ts: number, tokensIn: number, more: object = {}) =>
  shown(ts, 'api_req_started', { text: JSON.stringify({ tokensIn, tokensOut: 1 }), ...more })

function diskWith(files: Readonly<Record<string, unknown>>) {
  const disk = memoryDisk()
  for (const [file, content] of Object.entries(files)) {
    const written = typeof content === 'string' ? content : JSON.stringify(content)
    disk.put(path.posix.join('/cline', file), Buffer.from(written))
  }
  return historyDisk(disk)
}

const read = (files: Readonly<Record<string, unknown>>, root = '/cline') =>
  readRoot(clineReader, root, diskWith(files), signal)

async function taskOf(messages: readonly unknown[], screenOf: readonly unknown[] = []) {
  const { conversations, files } = await read({ [history]: messages, [screen]: screenOf })
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('nothing was read')
  const { entries } = conversation
  const told = entries.map(
    ({ entry_type, role, from, to, content }) =>
      `${entry_type === 'message' ? role : entry_type} ${from}>${to} ${content}`,
  )
  return { conversation, entries, told, ledger: files[0] }
}

describe('finding tasks', () => {
  const one = [asked(text('<task>\na\n</task>'))]
  const roo = 'rooveterinaryinc.roo-cline/tasks/0198'
  const files = {
    [history]: one,
    'state/taskHistory.json': [
      { id: `${begun}`, ts: begun, task: 'a', cwdOnTaskInitialization: '/home/mira/barrel' },
    ],
    'tasks/1/claude_messages.json': one,
    'tasks/2/ui_messages.json': [],
    'tasks/3/api_conversation_history.json': [],
    'sessions/s1/s1.json': {
      sessionId: 's1',
      cwd: '/home/mira/roses',
      started_at: '2026-09-10T09:00:00Z',
      metadata: { title: 'Roses' },
    },
    'sessions/s1/s1.messages.json': { messages: [asked(text('prune'))] },
  }
  const extensions = {
    [`${roo}/api_conversation_history.json`]: one,
    [`${roo}/history_item.json`]: { id: '0198', task: 'a', workspace: '/home/mira/plum' },
    [`saoudrizwan.claude-dev/${history}`]: one,
    [`kilocode.kilo-code/${history}`]: one,
    'other.extension/tasks/4/api_conversation_history.json': one,
  }
  const found = async (root = '/cline', all: Readonly<Record<string, unknown>> = files) =>
    (await read(all, root)).conversations.map(({ key, title, project }) => [key, title, project])

  it('reads tasks and sessions, with titles and folders that are beside them', async () => {
    expect(await found()).toEqual([
      ['1', 'a', null],
      [`${begun}`, 'a', '/home/mira/barrel'],
      ['s1', 'Roses', '/home/mira/roses'],
    ])
  })

  it('reads those of extensions in the storage of an editor, also two of one millisecond', async () => {
    expect(await found('/cline', extensions)).toEqual([
      [`${begun}`, 'a', null],
      ['0198', 'a', '/home/mira/plum'],
      [`kilocode.kilo-code/${begun}`, 'a', null],
    ])
  })

  it('reads a folder inside, and one file', async () => {
    const keys = async (root: string) => (await found(`/cline/${root}`)).map(([key]) => key)
    expect(await keys('tasks')).toEqual(['1', `${begun}`])
    expect(await found(`/cline/${task}`)).toEqual([[`${begun}`, 'a', '/home/mira/barrel']])
    expect(await keys(history)).toEqual([`${begun}`])
    expect(await keys('sessions')).toEqual(['s1'])
    expect(await keys('sessions/s1/s1.messages.json')).toEqual(['s1'])
    expect(await keys(screen)).toEqual([])
  })
})

it('shows a task that is no JSON as damaged, and so what stands behind its messages', async () => {
  for (const written of ['\0\0\0', 'hm', '[]x']) {
    const { conversations, files } = await read({ [history]: written })
    expect(conversations.map(({ key, entries }) => [key, entries])).toEqual([[`${begun}`, []]])
    expect(files[0]?.damaged).toHaveLength(1)
  }
  for (const written of ['', ' \n', '[]', ' [ ]\n'])
    expect((await read({ [history]: written })).conversations).toEqual([])
  const list = [asked(text('prune'))]
  for (const whole of [list, { messages: list }].map((one) => JSON.stringify(one, null, 2))) {
    const known = await read({ [history]: `${whole} {"a":1}\n` })
    expect(known.conversations[0]?.entries.map(({ content }) => content)).toEqual([
      'prune',
      '{"a":1}',
    ])
    const { files } = await read({ [history]: `${whole}\nrest"}]` })
    expect(files[0]).toMatchObject({ entryLines: 1, damaged: [{}] })
    // What a crash left behind the list, or a longer list before it.
    for (const behind of ['\0\0\0\0', ' \n\0\0', '}'])
      expect((await read({ [history]: `${whole}${behind}` })).files[0]).toMatchObject({
        entryLines: 1,
        damaged: [{}],
      })
    expect((await read({ [history]: `${whole} \n\n` })).files[0]).toMatchObject({
      entryLines: 1,
      damaged: [],
    })
  }
})

describe('a message', () => {
  it('has a person’s words without their tags, and apart from what the program put beside them', async () => {
    const { told, conversation } = await taskOf([
      asked(
        text('<task>\nmend it\n</task>'),
        text(
          '<environment_details>\n# Current Working Directory (/home/mira/b) Files\n</environment_details>',
        ),
        text('[ERROR] use a tool'),
      ),
      asked(text('say <task> in the middle'), text('<user_message>\nmore\n</user_message>')),
      asked({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } }),
    ])
    expect(told).toEqual([
      'user user>cline mend it',
      'user user>cline [ERROR] use a tool',
      'user user>cline say <task> in the middle\n\nmore',
      'user user>cline ',
    ])
    expect(conversation.entries.map(({ metadata }) => metadata)).toEqual([
      undefined,
      { injected: true },
      undefined,
      { images: [{ url: 'data:image/png;base64,AA==' }] },
    ])
    expect(conversation).toMatchObject({ title: 'mend it', project: '/home/mira/b' })
    expect(conversation.created).toBe('2026-09-10T09:00:00.000Z')
  })

  it('has calls and results by their ids, with thoughts and failures', async () => {
    const { told, entries } = await taskOf([
      answered(
        { type: 'thinking', thinking: 'hm' },
        { type: 'redacted_thinking', data: 'x' },
        text('I look.'),
        { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a' } },
      ),
      asked({ type: 'tool_result', tool_use_id: 'c1', content: [text('seen')], is_error: true }),
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'S' }], encrypted_content: 'x' },
      { role: 'user', content: [text('so far')], isSummary: true, ts: 5000 },
    ])
    expect(told).toEqual([
      'reasoning cline>user hm',
      'agent cline>user I look.',
      'tool_call cline>read_file {"path":"a"}',
      'tool_result read_file>cline seen',
      'reasoning cline>user S',
      'compaction cline>cline so far',
    ])
    expect(entries[3]).toMatchObject({ tool_call_id: 'c1', metadata: { is_error: true } })
    expect(entries[5]).toMatchObject({ timestamp: 5 })
  })

  it('has calls that a model wrote as tags, and results that stand in texts', async () => {
    const call = '<execute_command>\n<command>ls &&\nls</command>\n</execute_command>'
    const { told } = await taskOf([
      answered(text(`<thinking>\nhm\n</thinking>\n\nI list.\n\n${call}`)),
      asked(text("[execute_command for 'ls'] Result:\na.md\n<feedback>\nstop\n</feedback>")),
      answered(text(`In words: <read_file> reads.\n${call}\nand more`)),
    ])
    expect(told).toEqual([
      'reasoning cline>user hm',
      'agent cline>user I list.',
      'tool_call cline>execute_command {"command":"ls &&\\nls"}',
      'tool_result execute_command>cline a.md',
      'user user>cline stop',
      `agent cline>user In words: <read_file> reads.\n${call}\nand more`,
    ])
  })

  it('keeps what nobody knows', async () => {
    const { told, ledger } = await taskOf([
      { role: 'critic', content: 'x' },
      asked({ type: 'smell', rose: 1 }, 7),
      'loose',
      answered(),
      asked({ type: 'image', source: { type: 'file', file_id: 'f1' } }),
      { ...answered(text('so far'), { type: 'smell', rose: 2 }), isSummary: true },
    ])
    expect(told).toEqual([
      'unknown cline>user {"role":"critic","content":"x"}',
      'unknown cline>user {"type":"smell","rose":1}',
      'unknown cline>user {"type":"unknown","content":7}',
      'unknown cline>user "loose"',
      'unknown cline>user {"type":"image","source":{"type":"file","file_id":"f1"}}',
      'compaction cline>cline so far',
      'unknown cline>user {"type":"smell","rose":2}',
    ])
    expect(ledger).toMatchObject({ unit: 'message', lines: 6, entryLines: 5, control: 1 })
  })
})

describe('the screen', () => {
  const messages = [asked(text('a')), answered(text('A')), asked(text('b')), answered(text('B'))]
  const usages = (all: Awaited<ReturnType<typeof taskOf>>) =>
    all.entries.map(({ timestamp, metadata }) => [
      timestamp === null ? null : timestamp - begun / 1000,
      metadata?.usage,
    ])
  const tokens = (input: number) => ({ input, output: 1, cached: 0 })

  it('tells the times of messages, and the tokens of answers', async () => {
    const all = await taskOf(messages, [
      shown(begun, 'task'),
      request(begun + 1000, 10),
      shown(begun + 2000, 'text'),
      request(begun + 3000, 20),
      shown(begun + 4000, 'text'),
    ])
    expect(usages(all)).toEqual([
      [0, undefined],
      [2, tokens(10)],
      [3, undefined],
      [4, tokens(20)],
    ])
  })

  it('has the tokens of requests that were sent again at the answer that came, and loses none', async () => {
    const placed = await taskOf(messages, [
      request(begun, 10, { conversationHistoryIndex: -1 }),
      request(begun + 1000, 20, { conversationHistoryIndex: -1 }),
      request(begun + 2000, 30, { conversationHistoryIndex: 1 }),
      request(begun + 3000, 40, { conversationHistoryIndex: 3 }),
    ])
    expect(usages(placed).map(([, usage]) => usage)).toEqual([
      undefined,
      { input: 30, output: 2, cached: 0 },
      undefined,
      { input: 70, output: 2, cached: 0 },
    ])
    const counted = await taskOf(messages, [
      shown(begun, 'api_req_started', { text: '{}' }),
      request(begun + 1, 10),
      request(begun + 2, 20),
      request(begun + 3, 30),
    ])
    expect(usages(counted).map(([, usage]) => usage)).toEqual([
      undefined,
      tokens(10),
      undefined,
      { input: 50, output: 2, cached: 0 },
    ])
  })

  it('counts what came from a cache and what went into it as sent', async () => {
    const usage = { tokensIn: 1, tokensOut: 2, cacheReads: 4, cacheWrites: 8, cost: 0.5 }
    const { entries } = await taskOf(messages.slice(0, 2), [
      shown(begun, 'api_req_started', { text: JSON.stringify(usage) }),
    ])
    expect(entries[1]?.metadata).toEqual({ usage: { input: 13, output: 2, cached: 4, cost: 0.5 } })
  })

  it('tells failures at their place, and repeats no words', async () => {
    const { told } = await taskOf(messages, [
      shown(begun, 'text', { text: 'A' }),
      request(begun + 1000, 1),
      shown(begun + 2000, 'text', { text: 'A' }),
      shown(begun + 2500, 'error', { text: 'No power.' }),
      request(begun + 3000, 1),
      shown(begun + 4000, 'text'),
      { ts: begun + 5000, type: 'ask', ask: 'api_req_failed', text: 'Gone.' },
    ])
    expect(told).toEqual([
      'user user>cline a',
      'agent cline>user A',
      'system system>user No power.',
      'user user>cline b',
      'agent cline>user B',
      'system system>user Gone.',
    ])
  })
})

it('reads a session of Cline CLI, whose messages have times, tokens and models of their own', async () => {
  const { conversations } = await read({
    'sessions/s1/s1.messages.json': {
      cwd: '/home/mira/roses',
      messages: [
        { id: 'm1', role: 'user', content: 'prune', ts: begun },
        {
          ...answered(text('In March.')),
          ts: begun + 1000,
          modelInfo: { modelId: 'm-1' },
          metrics: { inputTokens: 10, outputTokens: 2, cacheReadTokens: 5, cost: 0.1 },
        },
      ],
      system_prompt: 'You are.',
    },
  })
  expect(conversations.map(({ title, project, models }) => [title, project, models])).toEqual([
    ['prune', '/home/mira/roses', ['m-1']],
  ])
  expect(conversations[0]?.entries[1]).toMatchObject({
    timestamp: begun / 1000 + 1,
    metadata: { usage: { input: 15, output: 2, cached: 5, cost: 0.1 } },
  })
})

it('reads of a list that ends early what is whole, and says so', async () => {
  const whole = JSON.stringify([asked(text('a')), answered(text('b ]'))], undefined, 1)
  let before = 0
  for (let end = 1; end < whole.length; end++) {
    const { conversations, unread } = await read({ [history]: whole.slice(0, end) })
    const told = conversations.flatMap(({ entries }) => entries.map(({ content }) => content))
    expect(['a', 'b ]'].slice(0, told.length)).toEqual(told)
    expect(told.length).toBeGreaterThanOrEqual(before)
    expect(unread).toHaveLength(1)
    before = told.length
  }
  expect(before).toBe(2)
})

it('accounts for every line, whatever is in a task', async () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const block = fc.oneof(
    value,
    fc.record({ type: fc.constantFrom('text', 'tool_use', 'tool_result', 'image'), text: value }),
  )
  const message = fc.oneof(
    value,
    fc.record({
      role: fc.constantFrom('user', 'assistant', 'x'),
      content: fc.oneof(value, fc.array(block, { maxLength: 3 })),
      metrics: value,
    }),
  )
  const element = fc.oneof(
    value,
    fc.record({
      ts: fc.nat(),
      say: fc.constantFrom('api_req_started', 'error', 'text'),
      text: fc.oneof(value, fc.string()),
      conversationHistoryIndex: value,
    }),
  )
  const list = fc.oneof(fc.array(message, { maxLength: 6 }), fc.record({ messages: value }))
  await fc.assert(
    fc.asyncProperty(list, fc.array(element), fc.nat(400), async (messages, shownOf, cut) => {
      const { files, conversations } = await read({
        [history]: JSON.stringify(messages).slice(0, cut),
        [screen]: shownOf,
      })
      for (const { lines, entryLines, control, blank, damaged } of files)
        expect(entryLines + control + blank + damaged.length).toBe(lines)
      for (const { entries } of conversations)
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
    }),
    { numRuns: 300 },
  )
})
