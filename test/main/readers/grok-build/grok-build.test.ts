import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { grokBuildReader } from '../../../../src/main/readers/grok-build/grok-build'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const text = (words: string) => ({ type: 'text', text: words })

function update(name: string, fields: object, meta: object = {}) {
  const params = { sessionId: 's', update: { sessionUpdate: name, ...fields }, _meta: meta }
  return JSON.stringify({ timestamp: 1_789_030_800, method: 'session/update', params })
}

const asked = (words: string, promptIndex: number) =>
  update('user_message_chunk', { content: text(words) }, { promptIndex })
const answered = (words: string, promptId: string) =>
  update('agent_message_chunk', { content: text(words) }, { promptId })

function read(files: Readonly<Record<string, readonly string[]>>, root = '/grok') {
  const disk = memoryDisk()
  for (const [name, lines] of Object.entries(files))
    disk.put(
      path.posix.join('/grok/sessions/%2Fhome', name),
      Buffer.from(lines.map((line) => `${line}\n`).join('')),
    )
  return readRoot(grokBuildReader, root, historyDisk(disk), signal)
}

async function entriesOf(lines: readonly string[]) {
  const [one] = (await read({ 'a/updates.jsonl': lines })).conversations
  return one?.entries ?? []
}

describe('finding sessions', () => {
  const files = {
    'a/updates.jsonl': [asked('log', 0)],
    'a/chat_history.jsonl': [JSON.stringify({ type: 'user', content: 'sent' })],
    'a/subagents/b/updates.jsonl': [asked('help', 0)],
    'c/updates.jsonl': [update('plan', {})],
    'c/chat_history.jsonl': [JSON.stringify({ type: 'user', content: 'only sent' })],
    'd/updates.jsonl': [update('plan', {})],
  }

  it('reads the log, or what was sent where the log says nothing; subagents are below', async () => {
    const { conversations } = await read(files)
    expect(
      conversations.map(({ key, title, subagentOf }) => [key, title, subagentOf?.key]),
    ).toEqual([
      ['a', 'log', undefined],
      ['a/b', 'help', 'a'],
      ['c', 'only sent', undefined],
    ])
  })

  it('reads a folder inside, and one file', async () => {
    const keysIn = async (root: string) =>
      (await read(files, `/grok/sessions${root}`)).conversations.map(({ key }) => key)
    expect(await keysIn('')).toEqual(['a', 'a/b', 'c'])
    expect(await keysIn('/%2Fhome/a/updates.jsonl')).toEqual(['a'])
  })
})

it('joins the pieces of a text, across what says nothing', async () => {
  const entries = await entriesOf([
    asked('How ', 0),
    asked('many?', 0),
    answered('About ', 'p'),
    update('hook_execution', {}),
    answered('ten.', 'p'),
    answered('Next.', 'q'),
  ])
  expect(entries.map(({ content }) => content)).toEqual(['How many?', 'About ten.', 'Next.'])
})

it('goes on from before a prompt that was taken back, which stays as a branch', async () => {
  const entries = await entriesOf([
    asked('one', 0),
    answered('1', 'p'),
    asked('two', 1),
    answered('2', 'q'),
    update('rewind_marker', { target_prompt_index: 1 }),
    asked('three', 1),
    update('rewind_marker', { target_prompt_index: 9 }),
    answered('3', 'r'),
  ])
  expect(entries.map(({ content, parent }) => [content, parent])).toEqual([
    ['one', null],
    ['1', '1'],
    ['two', '2'],
    ['2', '3'],
    ['three', '2'],
    ['3', '6'],
  ])
})

it('gives a call the arguments that come later, and the last words of a turn its tokens', async () => {
  const call = { toolCallId: 'c', kind: 'read' }
  const entries = await entriesOf([
    asked('look', 0),
    update('tool_call', call),
    update('tool_call_update', { ...call, status: 'in_progress', rawInput: { file: 'a' } }),
    update('tool_call_update', { ...call, status: 'completed', rawOutput: 'seen' }),
    answered('Done.', 'p'),
    update('turn_completed', {
      usage: { inputTokens: 9, outputTokens: 1, costUsdTicks: 5e9, costIsPartial: true },
    }),
  ])
  expect(entries.map(({ content }) => content)).toEqual(['look', '{"file":"a"}', 'seen', 'Done.'])
  expect(entries.at(-1)?.metadata?.usage).toEqual({ input: 9, output: 1, cached: 0, reasoning: 0 })
})

describe('what a call says', () => {
  const call = { toolCallId: 'c', kind: 'execute', title: 'ls hives', status: 'pending' }
  const shown = (words: string) => [{ type: 'content', content: text(words) }]
  const diff = { type: 'diff', path: 'hives.md', oldText: 'few', newText: 'many' }
  const told = async (...lines: readonly string[]) =>
    (await entriesOf([asked('look', 0), ...lines, answered('Done.', 'p')]))
      .filter(({ entry_type }) => entry_type?.startsWith('tool_'))
      .map(({ entry_type, content, metadata }) => [entry_type, content, metadata?.raw_fields])

  it('has the result that stands in the call itself', async () => {
    const lines = [
      update('tool_call', { ...call, status: 'completed', rawInput: {}, content: shown('a.md') }),
      update('tool_call', {
        ...call,
        toolCallId: 'd',
        status: 'failed',
        rawOutput: { error: 'no' },
      }),
    ]
    const args = '{"title":"ls hives"}'
    expect(await told(...lines)).toEqual([
      ['tool_call', args, undefined],
      ['tool_result', 'a.md', undefined],
      ['tool_call', args, undefined],
      ['tool_result', '{"error":"no"}', undefined],
    ])
  })

  it('takes the newest arguments, and its title where it never has any', async () => {
    const later = { toolCallId: 'c', status: 'in_progress', rawInput: { command: 'ls hives' } }
    expect(
      await told(
        update('tool_call', { ...call, rawInput: {} }),
        update('tool_call_update', { ...later, rawInput: { command: 'ls' } }),
        update('tool_call_update', later),
        update('tool_call', { ...call, toolCallId: 'd', locations: [{ path: 'hives.md' }] }),
      ),
    ).toEqual([
      ['tool_call', '{"command":"ls hives"}', undefined],
      ['tool_call', '{"title":"ls hives","locations":[{"path":"hives.md"}]}', undefined],
    ])
  })

  it('has what was shown before an end that repeats nothing', async () => {
    expect(
      await told(
        update('tool_call', { ...call, content: [diff] }),
        update('tool_call_update', { toolCallId: 'c', content: shown('1 of 2') }),
        update('tool_call_update', { toolCallId: 'c', content: shown('2 of 2'), rawOutput: 'x' }),
        update('tool_call_update', { toolCallId: 'c', status: 'completed' }),
      ),
    ).toEqual([
      ['tool_call', '{"title":"ls hives"}', undefined],
      ['tool_result', 'hives.md\n-few\n+many\n2 of 2', { rawOutput: 'x' }],
    ])
  })

  it('has what was shown of a call that never ended, or ended in a way of its own', async () => {
    expect(
      await told(
        update('tool_call', call),
        update('tool_call_update', { toolCallId: 'c', status: 'in_progress', content: shown('a') }),
        update('tool_call', { ...call, toolCallId: 'd' }),
        update('tool_call_update', { toolCallId: 'd', status: 'cancelled', content: shown('b') }),
      ),
    ).toEqual([
      ['tool_call', '{"title":"ls hives"}', undefined],
      ['tool_result', 'a', { status: 'in_progress' }],
      ['tool_call', '{"title":"ls hives"}', undefined],
      ['tool_result', 'b', undefined],
    ])
  })

  it('keeps what a tool gave beside what is shown, without saying it twice', async () => {
    const rawOutput = { type: 'Bash', exit_code: 2, output: 'no such folder' }
    const end = { toolCallId: 'c', status: 'failed', content: shown('no such folder\n'), rawOutput }
    expect(await told(update('tool_call', call), update('tool_call_update', end))).toEqual([
      ['tool_call', '{"title":"ls hives"}', undefined],
      ['tool_result', 'no such folder\n', { rawOutput: { type: 'Bash', exit_code: 2 } }],
    ])
  })

  it('stands for a call of which the beginning is lost', async () => {
    const end = { toolCallId: 'c', status: 'completed', rawInput: { a: 1 }, content: 'seen' }
    expect(
      await told(
        update('tool_call_update', end),
        update('tool_call_update', { toolCallId: 'd', status: 'in_progress', content: shown('e') }),
        update('tool_call_update', { toolCallId: 'f', status: 'completed', content: shown('g') }),
      ),
    ).toEqual([
      ['tool_call', '{"a":1}', undefined],
      ['tool_result', 'seen', undefined],
      ['tool_call', '', undefined],
      ['tool_result', 'e', { status: 'in_progress' }],
      ['tool_result', 'g', undefined],
    ])
  })

  it('has arguments that came in pieces and no call, and none twice', async () => {
    const piece = (fields: object) => update('tool_call_delta_chunk', { tool_index: 0, ...fields })
    const lines = [
      piece({ tool_call_id: 'c', name: 'Bash' }),
      piece({ arguments_delta: '{"command":' }),
      piece({ arguments_delta: '"ls"}' }),
    ]
    const whole = update('tool_call', { ...call, rawInput: { command: 'ls' } })
    expect(await told(...lines)).toEqual([['tool_call', '{"command":"ls"}', undefined]])
    expect(await told(...lines, whole)).toEqual([['tool_call', '{"command":"ls"}', undefined]])
  })

  it('has the arguments that came in pieces with its id, where it says none itself', async () => {
    const piece = (fields: object) => update('tool_call_delta_chunk', fields)
    const lines = [
      piece({ tool_index: 0, name: 'Bash', arguments_delta: '{"cmd":"ls"}' }),
      piece({ tool_index: 1, tool_call_id: 'd', name: 'Bash', arguments_delta: '{"cmd":' }),
      piece({ tool_index: 1, arguments_delta: '"rm x"}' }),
      update('tool_call', { ...call, toolCallId: 'd', title: 'rm x' }),
      update('tool_call', { ...call, rawInput: {} }),
    ]
    expect(await told(...lines)).toEqual([
      ['tool_call', '{"cmd":"rm x"}', undefined],
      ['tool_call', '{"cmd":"ls"}', undefined],
    ])
    const later = { toolCallId: 'd', status: 'in_progress', rawInput: { cmd: 'rm y' } }
    expect(await told(...lines, update('tool_call_update', later))).toEqual([
      ['tool_call', '{"cmd":"rm y"}', undefined],
      ['tool_call', '{"cmd":"ls"}', undefined],
    ])
  })

  it('is read of what the model was sent, in both forms, with its pictures', async () => {
    const picture = { type: 'image', data: 'aGk=', mimeType: 'image/png' }
    const inner = { name: 'Read', arguments: '{"path":"wax.md"}' }
    const { conversations } = await read({
      'a/chat_history.jsonl': [
        { type: 'assistant', content: '', tool_calls: [{ id: 'c', function: inner }, ['odd']] },
        { type: 'tool_result', tool_call_id: 'c', content: [text('seen'), picture] },
      ].map((line) => JSON.stringify(line)),
    })
    const [one] = conversations
    expect(one?.entries.map(({ to, content, metadata }) => [to, content, metadata])).toEqual([
      ['Read', '{"path":"wax.md"}', undefined],
      ['tool', '["odd"]', undefined],
      ['grok-build', 'seen', { images: [{ url: 'data:image/png;base64,aGk=' }] }],
    ])
  })
})

it('lists both copies of a session, and one of its log and what its model was sent', async () => {
  const { conversations } = await read({
    'a/updates.jsonl': [asked('log', 0)],
    'a/chat_history.jsonl': [JSON.stringify({ type: 'user', content: 'sent' })],
    '../%2Fwork/a/updates.jsonl': [asked('log of the copy', 0)],
  })
  expect(conversations.map(({ key, title }) => [key, title])).toEqual([
    ['a', 'log'],
    ['sessions/%2Fwork/a', 'log of the copy'],
  ])
})

it('counts no tokens of subagents: the session that called them counts them', async () => {
  const lines = [
    asked('help', 0),
    answered('Yes.', 'p'),
    update('turn_completed', { usage: { inputTokens: 9, outputTokens: 1 } }),
  ]
  const { conversations } = await read({
    'a/updates.jsonl': lines,
    'a/subagents/b/updates.jsonl': lines,
  })
  const counted = conversations.map(({ entries }) => entries.filter((one) => one.metadata?.usage))
  expect(counted.map(({ length }) => length)).toEqual([1, 0])
})

it('accounts for every line, whatever is in it', async () => {
  const kind = fc.constantFrom('user_message_chunk', 'tool_call', 'rewind_marker', 'plan', 'new')
  const value = fc.oneof(
    fc.json(),
    fc
      .tuple(kind, fc.jsonValue())
      .map(([name, content]) =>
        update(name, { content, target_prompt_index: content, toolCallId: content }, { content }),
      ),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 8 }), async (lines) => {
      const { files } = await read({ 'a/updates.jsonl': lines })
      for (const { lines: all, entryLines, control, blank, damaged } of files)
        expect(all).toBe(entryLines + control + blank + damaged.length)
    }),
    { numRuns: 100 },
  )
})
