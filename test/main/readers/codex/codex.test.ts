import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { unpackingDisk } from '../../../../src/main/disk/unpack/unpacking-disk'
import { codexReader } from '../../../../src/main/readers/codex/codex'
import { readRoot } from '../../../../src/main/readers/read-root'
import type { Entry } from '../../../../src/shared/model/conversation/entry'
import {
  answer,
  event,
  head,
  item,
  jsonLines,
  message,
  rolloutOf,
  threadIds,
  tokens,
  turn,
} from '../../../support/codex-rollouts'
import { memoryDisk } from '../../../support/memory-disk'
import { unreadIn } from '../../../support/unread'

const signal = new AbortController().signal
const [first, second, third] = threadIds

/** Everything under a Codex folder with these files. */
async function read(files: Readonly<Record<string, string>>, root = '/codex') {
  const disk = memoryDisk()
  for (const [file, text] of Object.entries(files))
    disk.put(path.posix.join('/codex', file), Buffer.from(text))
  return readRoot(codexReader, root, unpackingDisk(disk), signal)
}

/** The one thread that these lines are. */
async function readThread(...lines: readonly (string | object)[]) {
  const { conversations, files } = await read({ [rolloutOf(first)]: jsonLines(...lines) })
  const [conversation] = conversations
  const [ledger] = files
  if (conversation === undefined || ledger === undefined) throw new Error('nothing was read')
  return { conversation, entries: conversation.entries, ledger }
}

const told = (entries: readonly Entry[]) => entries.map(({ content }) => content)

describe('finding threads', () => {
  const files = {
    [rolloutOf(first)]: jsonLines(head(first), message('user', 'a')),
    [`archived_sessions/rollout-2026-09-01T08-00-00-${second}.jsonl`]: jsonLines(head(second)),
    'history.jsonl': jsonLines({ session_id: first, ts: 1, text: 'a' }),
    'log/rollout-notes.jsonl': '{}\n',
  }

  it('reads sessions and archived ones, by the id in their names, and nothing else of the folder', async () => {
    const { conversations, files: ledgers } = await read(files)
    expect(conversations.map(({ key }) => key)).toEqual([second, first])
    expect(ledgers).toHaveLength(2)
  })

  it('reads a folder inside, and one file of any name that begins as a rollout does', async () => {
    for (const folder of ['sessions', 'sessions/2026', 'sessions/2026/09/10', rolloutOf(first)]) {
      const { conversations } = await read(files, path.posix.join('/codex', folder))
      expect(conversations.map(({ key }) => key)).toEqual([first])
    }
    const others = { 'copy.txt': files[rolloutOf(first)] ?? '', 'other.txt': '{"role":"user"}\n' }
    expect((await read(others, '/codex/copy.txt')).conversations.map(({ key }) => key)).toEqual([
      'copy.txt',
    ])
    expect((await read(others, '/codex/other.txt')).conversations).toEqual([])
  })

  it('takes a thread that is there twice for one, and reads the longer file', async () => {
    const archived = rolloutOf(first).replace(/^.*\//, 'archived_sessions/')
    const short = jsonLines(head(first), message('user', 'a'))
    const { conversations } = await read({
      [archived]: short,
      [rolloutOf(first)]: short + jsonLines(answer('b')),
    })
    expect(conversations.map(({ entries }) => told(entries))).toEqual([['a', 'b']])
  })
})

describe('titles', () => {
  const opening = [
    head(first),
    message('user', '<environment_context>\n  <cwd>/x</cwd>\n</environment_context>'),
    ...Array.from({ length: 430 }, () => event({ type: 'token_count', info: null })),
    message('user', 'sow the peas'),
  ]
  const named = (name: string) => event({ type: 'thread_name_updated', thread_name: name })
  const titleOf = async (lines: readonly object[], index: readonly object[] = []) => {
    const files = {
      [rolloutOf(first)]: jsonLines(...lines),
      'session_index.jsonl': jsonLines(...index),
    }
    const [conversation] = (await read(files)).conversations
    return [conversation?.title, conversation?.storedTitle]
  }

  it('are a person’s first words, without what Codex and the editor put before them', async () => {
    expect(await titleOf(opening)).toEqual(['sow the peas', undefined])
    const asked =
      '# Context from my IDE setup:\n\n## Open tabs: a.md\n\n## My request for Codex:\nprune'
    expect(await titleOf([head(first), message('user', asked)])).toEqual(['prune', undefined])
    expect(await titleOf([head(first)])).toEqual([first, undefined])
  })

  it('are the last name in the file where it was given one', async () => {
    expect(await titleOf([...opening, named('Peas'), named('Peas, early')])).toEqual([
      'Peas, early',
      'Peas, early',
    ])
  })

  it('are the last name in the index before all of these, unless that is empty', async () => {
    const index = [
      { id: first, thread_name: 'Old' },
      { id: second, thread_name: 'Another' },
      { id: first, thread_name: 'From the index' },
      { id: first, thread_name: ' ' },
    ]
    expect(await titleOf([...opening, named('Peas')], index)).toEqual([
      'From the index',
      'From the index',
    ])
  })
})

describe('lines', () => {
  it('tells what an event repeats once, and keeps what nobody knows', async () => {
    const { entries, ledger } = await readThread(
      head(first),
      message('user', 'sow the peas'),
      event({ type: 'user_message', message: 'sow the peas' }),
      event({ type: 'agent_message', message: 'sown' }),
      answer('sown'),
      event({ type: 'brand_new', note: 'x' }),
      { timestamp: '2026-09-10T09:00:00Z', type: 'brand_new', payload: {} },
      item({ type: 'brand_new' }),
      event({ type: 'error', message: 'no network' }),
    )
    expect(entries.map(({ entry_type, metadata }) => [entry_type, metadata?.raw_type])).toEqual([
      ['message', undefined],
      ['message', undefined],
      ['unknown', 'event_msg/brand_new'],
      ['unknown', 'brand_new'],
      ['unknown', 'response_item/brand_new'],
      ['message', 'error'],
    ])
    expect(ledger).toMatchObject({ lines: 9, entryLines: 6, control: 3 })
  })

  it('keeps what Codex wrote into a person’s message apart from the person’s words', async () => {
    const { entries } = await readThread(
      item({
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>' },
          { type: 'input_text', text: 'The <skill> is mine.' },
        ],
      }),
    )
    expect(entries.map(({ id, content, metadata }) => [id, content, metadata?.injected])).toEqual([
      ['L1', '# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>', true],
      ['L1#2', 'The <skill> is mine.', undefined],
    ])
  })

  it('reads the output of a tool in all its shapes, with the name of the tool and its failure', async () => {
    const call = (call_id: string) =>
      item({ type: 'function_call', name: 'shell', arguments: '{"a":1}', call_id })
    const output = (call_id: string, value: unknown) =>
      item({ type: 'function_call_output', call_id, output: value })
    const { entries } = await readThread(
      ...['a', 'b', 'c', 'd', 'e'].map(call),
      output('a', 'plain'),
      output('b', '{"output":"old","metadata":{"exit_code":2}}'),
      output('c', { content: 'refused', success: false }),
      output('d', [
        { type: 'input_text', text: 'seen' },
        { type: 'input_image', image_url: 'data:image/png;base64,AA==' },
      ]),
      output('e', 'Exit code: 1\nOutput:\nnone'),
      output('nobody’s', '{"output":'),
    )
    const results = entries.filter(({ entry_type }) => entry_type === 'tool_result')
    expect(
      results.map(({ from, content, metadata }) => [from, content, metadata?.is_error]),
    ).toEqual([
      ['shell', 'plain', undefined],
      ['shell', 'old', true],
      ['shell', 'refused', true],
      ['shell', 'seen', undefined],
      ['shell', 'Exit code: 1\nOutput:\nnone', true],
      ['tool', '{"output":', undefined],
    ])
    expect(results[3]?.metadata?.images).toEqual([{ url: 'data:image/png;base64,AA==' }])
  })
})

describe('tokens', () => {
  const usageOf = (entries: readonly Entry[]) =>
    entries.map(({ entry_type, metadata }) => [entry_type, metadata?.usage ?? null])

  it('are at the answer that they are of, each once, however often they are repeated', async () => {
    const { entries } = await readThread(
      turn('model-a'),
      message('user', 'a'),
      answer('one'),
      item({ type: 'function_call', name: 'shell', arguments: '{}', call_id: 'x' }),
      tokens(10, 10),
      item({ type: 'function_call_output', call_id: 'x', output: '' }),
      tokens(10, 10),
      item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }] }),
      answer('two'),
      tokens(30, 20),
    )
    const usage = (input: number) => ({ input, cached: 1, output: 2, reasoning: 0 })
    expect(usageOf(entries)).toEqual([
      ['message', null],
      ['message', usage(10)],
      ['tool_call', null],
      ['tool_result', null],
      ['reasoning', null],
      ['message', usage(20)],
    ])
    expect(entries.map(({ metadata }) => metadata?.model)).toEqual([
      undefined,
      'model-a',
      'model-a',
      undefined,
      'model-a',
      'model-a',
    ])
  })

  it('are counted by one kind of line in a turn, whichever comes first', async () => {
    const record = {
      timestamp: '2026-09-10T09:00:00Z',
      type: 'token_usage_record',
      payload: { usage: { input_tokens: 5, output_tokens: 1 } },
    }
    const { entries } = await readThread(
      turn('m'),
      answer('one'),
      record,
      tokens(5, 5),
      answer('two'),
    )
    const both = entries.map(({ metadata }) => metadata?.usage)
    expect(both).toEqual([{ input: 5, cached: 0, output: 1, reasoning: 0 }, undefined])
  })
})

it('is a subagent of the thread that its head names, also in older files', async () => {
  const spawn = { subagent: { thread_spawn: { parent_thread_id: first, depth: 1 } } }
  for (const more of [{ parent_thread_id: first }, { source: spawn }]) {
    const { conversations } = await read({
      [rolloutOf(first)]: jsonLines(head(first), message('user', 'a')),
      [rolloutOf(second)]: jsonLines(head(second, more), message('user', 'count')),
    })
    const agent = conversations.find(({ key }) => key === second)
    expect([agent?.parent?.key, agent?.subagentOf]).toEqual([first, { key: first }])
  }
})

it('goes on after turns that were rolled back from the entry before them', async () => {
  const { entries, conversation } = await readThread(
    message('user', 'a'),
    answer('A'),
    message('user', 'b'),
    answer('B'),
    message('user', 'c'),
    answer('C'),
    event({ type: 'thread_rolled_back', num_turns: 2 }),
    message('user', 'd'),
    answer('D'),
    event({ type: 'thread_rolled_back', num_turns: 99 }),
    message('user', 'e'),
  )
  expect(entries.map(({ id, content, parent }) => [id, content, parent])).toEqual([
    ['L1', 'a', null],
    ['L2', 'A', 'L1'],
    ['L3', 'b', 'L2'],
    ['L4', 'B', 'L3'],
    ['L5', 'c', 'L4'],
    ['L6', 'C', 'L5'],
    ['L8', 'd', 'L2'],
    ['L9', 'D', 'L8'],
    ['L11', 'e', null],
  ])
  expect(conversation.active).toEqual(['L11'])
})

describe('a thread that goes on from another one', () => {
  const beginning = [head(first), message('user', 'a'), answer('A')]
  const end = Buffer.byteLength(jsonLines(...beginning))
  const base = (thread: string, end_byte_offset?: number, end_ordinal_exclusive = 3) => ({
    history_base: { thread_id: thread, end_ordinal_exclusive, end_byte_offset },
  })
  const root = { [rolloutOf(first)]: jsonLines(...beginning, message('user', 'later')) }
  const fork = [head(second, base(first, end)), message('user', 'b')]

  it('has that one’s lines before its own, also over several threads', async () => {
    const forkEnd = Buffer.byteLength(jsonLines(...fork))
    const { conversations, files, unread } = await read({
      ...root,
      [rolloutOf(second)]: jsonLines(...fork, message('user', 'later, too')),
      [`archived_sessions/rollout-2026-09-11T08-00-00-${third}.jsonl`]: jsonLines(
        head(third, base(second, forkEnd)),
        message('user', 'c'),
      ),
    })
    const last = conversations.find(({ key }) => key === third)
    expect(last?.entries.map(({ id, content, inherited }) => [id, content, inherited])).toEqual([
      [`L2@${first}`, 'a', true],
      [`L3@${first}`, 'A', true],
      [`L2@${second}`, 'b', true],
      ['L2', 'c', undefined],
    ])
    expect(unread).toEqual([])
    // Each line is accounted for in the file that it is in, and in no other.
    expect(files.map(({ lines }) => lines).sort()).toEqual([2, 3, 4])
  })

  it('begins at the ordinal where no byte is named', async () => {
    const numbered = beginning.map((line, ordinal) => ({ ...line, ordinal }))
    const { conversations } = await read({
      [rolloutOf(first)]: jsonLines(...numbered),
      [rolloutOf(second)]: jsonLines(head(second, base(first, undefined, 2)), message('user', 'b')),
    })
    const own = conversations.find(({ key }) => key === second)
    expect(told(own?.entries ?? [])).toEqual(['a', 'b'])
  })

  it('is read without a beginning that is gone, shorter than it was, or itself; that is said', async () => {
    const gone = await read({ [rolloutOf(second)]: jsonLines(...fork) })
    expect(told(gone.conversations[0]?.entries ?? [])).toEqual(['b'])
    expect(unreadIn(gone)).toEqual([
      { key: second, notice: `The beginning is in the thread ${first}, which is not there.` },
    ])
    const short = await read({
      [rolloutOf(first)]: jsonLines(...beginning.slice(0, 2)),
      [rolloutOf(second)]: jsonLines(...fork),
    })
    const cut = short.conversations.find(({ key }) => key === second)
    expect(told(cut?.entries ?? [])).toEqual(['a', 'b'])
    expect(unreadIn(short)).toHaveLength(1)
    const round = await read({
      [rolloutOf(first)]: jsonLines(head(first, base(second, end)), message('user', 'a')),
      [rolloutOf(second)]: jsonLines(...fork),
    })
    expect(round.conversations.map(({ entries }) => entries.length)).toEqual([2, 2])
    expect(unreadIn(round)).toHaveLength(2)
  })
})

it('accounts for every line, whatever is in it', async () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const type = fc.constantFrom(
    'response_item',
    'event_msg',
    'session_meta',
    'turn_context',
    'compacted',
    'new',
  )
  const kind = fc.constantFrom(
    'message',
    'reasoning',
    'function_call',
    'function_call_output',
    'token_count',
  )
  const payload = fc.oneof(
    value,
    fc.record({
      type: kind,
      role: value,
      content: value,
      output: value,
      info: value,
      summary: value,
    }),
  )
  const line = fc.oneof(
    fc.string(),
    value.map((one) => JSON.stringify(one)),
    fc
      .record({ timestamp: fc.constant('2026-09-10T09:00:00Z'), type, payload })
      .map((one) => JSON.stringify(one)),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
      const text = lines.map((one) => one.replaceAll('\n', ' ')).join('\n')
      const { files, conversations } = await read({ [rolloutOf(first)]: text })
      const [ledger] = files
      if (ledger === undefined) throw new Error('no ledger')
      const { entryLines, control, blank, damaged } = ledger
      expect(entryLines + control + blank + damaged.length).toBe(ledger.lines)
      const ids = conversations.flatMap(({ entries }) => entries.map(({ id }) => id))
      expect(new Set(ids).size).toBe(ids.length)
    }),
    { numRuns: 300 },
  )
})
