import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { historyDisk } from '../../../../src/main/readers/history-disk'
import { lmStudioReader } from '../../../../src/main/readers/lm-studio/lm-studio'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryDisk } from '../../../support/memory-disk'

const signal = new AbortController().signal
const file = 'conversations/1789030800000.conversation.json'

const text = (words: string) => ({ type: 'text', text: words })
const single = (role: string, ...content: readonly unknown[]) => ({
  type: 'singleStep',
  role,
  content,
})
const block = (content: readonly unknown[], more: object = {}) => ({
  type: 'contentBlock',
  content,
  ...more,
})
const multi = (...steps: readonly unknown[]) => ({ type: 'multiStep', role: 'assistant', steps })
const message = (versions: readonly unknown[], currentlySelected: unknown = 0) => ({
  versions,
  currentlySelected,
})
const conversation = (messages: readonly unknown[], more: object = {}) => ({
  name: '',
  createdAt: 1_789_030_800_000,
  messages,
  ...more,
})

function diskWith(files: Readonly<Record<string, unknown>>) {
  const disk = memoryDisk()
  for (const [name, content] of Object.entries(files)) {
    const written = typeof content === 'string' ? content : JSON.stringify(content)
    disk.put(path.posix.join('/studio', name), Buffer.from(written))
  }
  return historyDisk(disk)
}

const read = (files: Readonly<Record<string, unknown>>, root = '/studio') =>
  readRoot(lmStudioReader, root, diskWith(files), signal)

async function chatOf(messages: readonly unknown[], more: object = {}) {
  const { conversations, files } = await read({ [file]: conversation(messages, more) })
  const [chat] = conversations
  if (chat === undefined) throw new Error('nothing was read')
  const way = chat.active.map((id) => chat.entries.find((entry) => entry.id === id)?.content)
  const told = chat.entries.map(({ entry_type, content }) => `${entry_type} ${content}`)
  return { chat, entries: chat.entries, way, told, ledger: files[0] }
}

describe('finding conversations', () => {
  const one = conversation([message([single('user', text('a'))])])
  const files = {
    [file]: one,
    'conversations/Garden/Beds/2.conversation.json': conversation(one.messages, { name: 'Named' }),
    'conversations/Garden/1789030800000.conversation.json': one,
    'conversations/3.conversation.json': conversation([]),
    'conversations/4.conversation.json': [],
    'conversations/notes.json': one,
    'models/5.conversation.json': one,
  }
  const found = async (root = '/studio') =>
    (await read(files, root)).conversations.map(({ key, title, project }) => [key, title, project])

  it('reads those of every folder that a person made, with the folder as their project', async () => {
    expect(await found()).toEqual([
      ['1789030800000', 'a', null],
      ['conversations/Garden/1789030800000', 'a', 'Garden'],
      ['2', 'Named', 'Garden/Beds'],
    ])
  })

  it('reads a folder inside, and one file', async () => {
    expect(await found('/studio/conversations/Garden')).toEqual([
      ['1789030800000', 'a', 'Garden'],
      ['2', 'Named', 'Garden/Beds'],
    ])
    expect(await found(`/studio/${file}`)).toEqual([['1789030800000', 'a', null]])
    expect(await found('/studio/conversations/notes.json')).toEqual([])
  })
})

describe('versions of a message', () => {
  it('are branches, and what follows goes on from the one that is shown', async () => {
    const { way, entries } = await chatOf([
      message([single('user', text('q'))]),
      message([multi(block([text('a')])), multi(block([text('b')])), multi(block([text('c')]))], 1),
      message([single('user', text('r'))]),
    ])
    expect(way).toEqual(['q', 'b', 'r'])
    expect(entries.map(({ id, parent, content }) => [id, parent, content])).toEqual([
      ['1.1', null, 'q'],
      ['2.1', '1.1', 'a'],
      ['2.3', '1.1', 'c'],
      ['2.2', '1.1', 'b'],
      ['3.1', '2.2', 'r'],
    ])
  })

  it('may be none, or not there where the shown one should be', async () => {
    const { way, told } = await chatOf([
      message([single('user', text('q'))]),
      message([]),
      message([multi(block([text('a')])), multi(block([text('b')]))], 7),
      message([multi()], 'x'),
      message([single('user', text('r'))]),
      { role: 'user', content: 'old' },
    ])
    expect(way).toEqual(['q', 'b', 'r', '{"role":"user","content":"old"}'])
    expect(told.at(-1)).toBe('unknown {"role":"user","content":"old"}')
  })
})

describe('an answer', () => {
  it('has thoughts, words, calls and results in their order, with the model and its tokens', async () => {
    const genInfo = { identifier: 'm-1', stats: { promptTokensCount: 40, predictedTokensCount: 9 } }
    const { entries } = await chatOf([
      message([
        multi(
          block([text('hm')], { style: { type: 'thinking' } }),
          block(
            [
              text('I '),
              text('look.'),
              { type: 'toolCallRequest', callId: 'c1', name: 'look', parameters: { a: 1 } },
            ],
            { genInfo },
          ),
          { type: 'toolStatus', callId: 'c1' },
          block([{ type: 'toolCallResult', toolCallRequestId: 'c1', content: 'seen' }]),
          { type: 'debugInfoBlock', debugInfo: 'x' },
          { type: 'dance' },
        ),
      ]),
    ])
    expect(
      entries.map(({ entry_type, from, to, content, tool_call_id, metadata }) => [
        entry_type,
        `${from}>${to}`,
        content,
        tool_call_id,
        metadata,
      ]),
    ).toEqual([
      ['reasoning', 'lm-studio>user', 'hm', undefined, undefined],
      [
        'message',
        'lm-studio>user',
        'I look.',
        undefined,
        { model: 'm-1', usage: { input: 40, output: 9 } },
      ],
      ['tool_call', 'lm-studio>look', '{"a":1}', 'c1', { model: 'm-1' }],
      ['tool_result', 'look>lm-studio', 'seen', 'c1', undefined],
      ['unknown', 'lm-studio>user', '{"type":"dance"}', undefined, { raw_type: 'dance' }],
    ])
  })

  it('has the model of the conversation where it names none, and files that were sent', async () => {
    const { entries } = await chatOf(
      [
        message([
          single('user', { type: 'file', fileIdentifier: 'bed.png', fileType: 'image' }, text('q')),
        ]),
        message([single('assistant', text('A'))]),
        message([single('system', text('S'))]),
      ],
      { lastUsedModel: { identifier: 'm-2' } },
    )
    expect(entries.map(({ content, role, metadata }) => [content, role, metadata])).toEqual([
      ['q', 'user', { attachments: [{ filename: 'bed.png', kind: 'image' }] }],
      ['A', 'agent', { model: 'm-2' }],
      ['S', 'system', undefined],
    ])
  })
})

it('reads of a document that ends early what is whole, and says so', async () => {
  const whole = JSON.stringify(
    conversation([message([single('user', text('a'))]), message([single('assistant', text('b'))])]),
    undefined,
    1,
  )
  let before = 0
  for (let end = whole.indexOf('"messages"') + 12; end < whole.length; end++) {
    const { conversations, unread } = await read({ [file]: whole.slice(0, end) })
    const told = conversations.flatMap(({ entries }) => entries.map(({ content }) => content))
    expect(['a', 'b'].slice(0, told.length)).toEqual(told)
    expect(told.length).toBeGreaterThanOrEqual(before)
    expect(unread).toHaveLength(1)
    before = told.length
  }
  expect(before).toBe(2)
})

it('shows what is no JSON as damaged, and so what stands behind a conversation', async () => {
  for (const written of ['\0\0\0', 'hm']) {
    const { conversations, files } = await read({ [file]: written })
    expect(conversations.map(({ key, entries }) => [key, entries])).toEqual([['1789030800000', []]])
    expect(files[0]?.damaged).toHaveLength(1)
  }
  expect((await read({ [file]: ' \n' })).conversations).toEqual([])
  const whole = JSON.stringify(conversation([message([single('user', text('q'))])]))
  const withMore = (more: string) => read({ [file]: `${whole}${more}` })
  const known = await withMore(' {"a":1}\n')
  expect(known.conversations[0]?.entries.map(({ content }) => content)).toEqual(['q', '{"a":1}'])
  const { files } = await withMore('\nrest":"a"}]}')
  expect(files[0]).toMatchObject({ entryLines: 1, damaged: [{ line: 3 }] })
  expect((await withMore(' \n\n')).files[0]).toMatchObject({ entryLines: 1, damaged: [] })
})

it('shows messages behind a bracket that closes their list too early as damage, with all that they say', async () => {
  const whole = JSON.stringify(
    conversation([message([single('user', text('a'))]), message([single('user', text('b'))])], {
      pinned: true,
    }),
  )
  const broken = whole.replace('},{"versions"', '}},{"versions"')
  expect(broken).not.toBe(whole)
  const { conversations, files } = await read({ [file]: broken })
  expect(conversations[0]?.entries.map(({ content }) => content)).toEqual(['a'])
  const shown = files.flatMap(({ damaged }) =>
    damaged.map(({ bytes }) => Buffer.from(bytes, 'base64').toString()),
  )
  expect(shown.join('\n')).toContain('"text":"b"')
})

it('accounts for every line, whatever is in a conversation', async () => {
  const value = fc.jsonValue({ maxDepth: 3 })
  const step = fc.oneof(
    value,
    fc.record({
      type: fc.constantFrom('contentBlock', 'toolStatus', 'x'),
      content: fc.oneof(
        value,
        fc.array(
          fc.record({ type: fc.constantFrom('text', 'file', 'toolCallRequest'), text: value }),
        ),
      ),
      style: value,
      genInfo: value,
    }),
  )
  const version = fc.oneof(
    value,
    fc.record({
      type: fc.constantFrom('singleStep', 'multiStep'),
      role: fc.oneof(value, fc.constantFrom('user', 'assistant')),
      content: value,
      steps: fc.oneof(value, fc.array(step, { maxLength: 3 })),
    }),
  )
  const one = fc.oneof(
    value,
    fc.record({
      versions: fc.array(version, { maxLength: 3 }),
      currentlySelected: fc.oneof(value, fc.nat(3)),
    }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(one, { maxLength: 5 }), fc.nat(600), async (messages, cut) => {
      const { files, conversations } = await read({
        [file]: JSON.stringify(conversation(messages)).slice(0, cut),
      })
      for (const { lines, entryLines, control, blank, damaged } of files)
        expect(entryLines + control + blank + damaged.length).toBe(lines)
      for (const { entries } of conversations)
        expect(new Set(entries.map((entry) => entry.id)).size).toBe(entries.length)
    }),
    { numRuns: 300 },
  )
})
