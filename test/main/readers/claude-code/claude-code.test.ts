import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../../src/main/disk/node/node-disk'
import { claudeCodeReader } from '../../../../src/main/readers/claude-code/claude-code'
import { claudeCodeLine } from '../../../../src/main/readers/claude-code/line'
import { splitWrappers } from '../../../../src/main/readers/claude-code/wrappers'
import { readRoot } from '../../../../src/main/readers/read-root'
import { memoryFolder, tempFolders } from '../../../support/temp-folder'

const temp = tempFolders(memoryFolder)
const signal = new AbortController().signal
const session = 'ae619569-e1d3-4f67-a3d7-4b650c6c087a'

/** A file of records below a root, one a line; a string is a line as it is. */
function write(root: string, file: string, records: readonly (object | string)[]): void {
  const whole = path.join(root, file)
  fs.mkdirSync(path.dirname(whole), { recursive: true })
  const lines = records.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
  fs.writeFileSync(whole, lines.map((line) => `${line}\n`).join(''))
}

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
const place = (n: number, parent: number | null) => ({
  uuid: uuid(n),
  parentUuid: parent === null ? null : uuid(parent),
  sessionId: session,
  timestamp: '2026-09-10T09:00:00.000Z',
})
const user = (n: number, parent: number | null, content: unknown, more = {}) => ({
  ...place(n, parent),
  type: 'user',
  message: { role: 'user', content },
  ...more,
})
const answer = (n: number, parent: number, text: string, more = {}) => ({
  ...place(n, parent),
  type: 'assistant',
  message: { role: 'assistant', content: [{ type: 'text', text }] },
  ...more,
})

async function read(root: string) {
  const all = await readRoot(claudeCodeReader, root, nodeDisk, signal)
  expect(all.unread).toEqual([])
  return all.conversations
}

async function only(records: readonly (object | string)[]) {
  const root = temp()
  write(root, `${session}.jsonl`, records)
  const [conversation, ...more] = await read(root)
  expect(more).toEqual([])
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

const pathOf = ({ active }: { readonly active: readonly string[] }) =>
  active.map((one) => Number(one.slice(-12)))

describe('which files are found', () => {
  const records = [user(1, null, 'hello')]

  it('finds sessions below its own folder, its projects, one project, and one file', async () => {
    const root = temp()
    write(root, `projects/-a/${session}.jsonl`, records)
    write(root, 'history.jsonl', [{ display: 'hello' }])
    for (const below of ['', 'projects', 'projects/-a', `projects/-a/${session}.jsonl`]) {
      const found = await read(path.join(root, below))
      expect(found.map(({ key }) => key)).toEqual([session])
    }
  })

  it('finds subagents below a session, below its workflows and beside it, each with its session', async () => {
    const root = temp()
    const aside = [user(5, null, 'look', { isSidechain: true, agentId: 'x' })]
    write(root, `projects/-a/${session}.jsonl`, records)
    write(root, `projects/-a/${session}/subagents/agent-1.jsonl`, aside)
    write(root, `projects/-a/${session}/subagents/workflows/w/agent-2.jsonl`, aside)
    write(root, `projects/-a/${session}/subagents/workflows/w/journal.jsonl`, [{ noise: 1 }])
    write(root, 'projects/-a/agent-3.jsonl', aside)
    const found = await read(root)
    expect(found.map(({ key, parent }) => [key, parent?.key])).toEqual([
      [session, undefined],
      [`${session}/agent-3`, session],
      [`${session}/agent-1`, session],
      [`${session}/agent-2`, session],
    ])
  })

  it('keeps a session that lies in two projects apart, and counts its entries as copies', async () => {
    const root = temp()
    write(root, `projects/-a/${session}.jsonl`, records)
    write(root, `projects/-b/${session}.jsonl`, [...records, answer(2, 1, 'hi')])
    const found = await read(root)
    expect(found.map(({ key }) => key)).toEqual([session, `-b/${session}`])
    const inherited = found.map(({ entries }) => entries.filter((one) => one.inherited).length)
    expect(inherited.sort()).toEqual([0, 1])
  })
})

describe('titles', () => {
  const talk = [user(1, null, 'prune the apple tree'), answer(2, 1, 'pruned')]

  it('are those that a person gave, then the program, then the first words of a person', async () => {
    const ai = { type: 'ai-title', aiTitle: 'Apples', sessionId: session }
    const custom = { type: 'custom-title', customTitle: 'My tree', sessionId: session }
    expect((await only(talk)).title).toBe('prune the apple tree')
    expect((await only([...talk, ai])).title).toBe('Apples')
    expect((await only([...talk, custom, ai])).storedTitle).toBe('My tree')
    expect((await only([...talk, custom, { ...custom, customTitle: 'Later' }])).title).toBe('Later')
  })

  it('pass over what the program put into a person’s mouth', async () => {
    const { title } = await only([
      user(1, null, '<command-name>/clear</command-name>'),
      user(2, 1, 'Caveat: …', { isMeta: true }),
      user(3, 2, '<system-reminder>be brief</system-reminder>\n\nwater the beds'),
    ])
    expect(title).toBe('water the beds')
  })

  it('are found at the end of a file of many records', async () => {
    const filler = Array.from({ length: 400 }, (_, n) => answer(n + 3, n + 2, 'x'.repeat(600)))
    const title = { type: 'ai-title', aiTitle: 'At the end', sessionId: session }
    expect((await only([...talk, ...filler, title])).title).toBe('At the end')
  })
})

describe('where the conversation is now', () => {
  const rewound = [
    user(1, null, 'q1'),
    answer(2, 1, 'a1'),
    user(3, 2, 'q2'),
    answer(4, 3, 'a2'),
    user(5, 2, 'q2 again'),
    answer(6, 5, 'a2 again'),
  ]

  it('is the newest record, or the one that its last prompt names', async () => {
    expect(pathOf(await only(rewound))).toEqual([1, 2, 5, 6])
    const last = { type: 'last-prompt', lastPrompt: 'q2', leafUuid: uuid(4), sessionId: session }
    expect(pathOf(await only([...rewound, last]))).toEqual([1, 2, 3, 4])
    const lost = { ...last, leafUuid: uuid(99) }
    expect(pathOf(await only([...rewound, lost]))).toEqual([1, 2, 5, 6])
    expect(pathOf(await only([...rewound, last, user(7, 6, 'q3')]))).toEqual([1, 2, 5, 6, 7])
  })

  it('goes on over a compaction, by the record that it names, else by the one before it', async () => {
    const boundary = (logical: number) => ({
      ...place(7, null),
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      logicalParentUuid: uuid(logical),
    })
    const named = await only([...rewound, boundary(4), user(8, 7, 'q3')])
    expect(pathOf(named)).toEqual([1, 2, 3, 4, 7, 8])
    const unnamed = await only([...rewound, boundary(99), user(8, 7, 'q3')])
    expect(pathOf(unnamed)).toEqual([1, 2, 5, 6, 7, 8])
    expect(unnamed.entries[6]?.metadata?.seam).toBe(true)
  })

  it('leaves a subagent out that the older versions wrote into the session’s file', async () => {
    const aside = { isSidechain: true }
    const all = await only([
      user(1, null, 'q1'),
      user(10, null, 'look at it', aside),
      answer(11, 10, 'seen', aside),
      answer(2, 1, 'a1'),
    ])
    expect(pathOf(all)).toEqual([1, 2])
    expect(all.entries).toHaveLength(4)
  })
})

it('says in a result that its output was moved into a file, and which', async () => {
  const moved =
    '<persisted-output>\nOutput too large (61.2KB). Full output saved to: /home/ann/.claude/projects/-a/' +
    `${session}/tool-results/toolu_1.txt\n\nPreview (first 2KB):\npear 1\n...\n</persisted-output>`
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: moved }
  const { entries } = await only([user(1, null, 'list the trees'), user(2, 1, [result])])
  expect(entries[1]).toMatchObject({ entry_type: 'tool_result', content: moved })
})

describe('a person’s record', () => {
  it('is parted from what the program put before it, and only there', () => {
    const words = 'why does <system-reminder>x</system-reminder> come up?'
    expect(splitWrappers(words)).toEqual([{ content: words, wrapper: undefined }])
    expect(splitWrappers(`<ide_selection>a</ide_selection>\n${words}`)).toEqual([
      { content: '<ide_selection>a</ide_selection>', wrapper: 'ide_selection' },
      { content: words, wrapper: undefined },
    ])
  })

  it('loses nothing but white space when it is parted, whatever it holds', () => {
    const piece = fc.constantFrom(
      '<ide_opened_file>',
      '</ide_opened_file>',
      '<system-reminder>',
      '</system-reminder>',
      '<command-name>',
      ' ',
      '\n',
      'x',
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('')
        const all = splitWrappers(text).map(({ content }) => content)
        expect(all.length).toBeGreaterThan(0)
        expect(all.join('').replace(/\s/g, '')).toBe(text.replace(/\s/g, ''))
      }),
    )
  })
})

it('makes of any record entries or none, and never fails', () => {
  const types = ['user', 'assistant', 'system', 'attachment', 'summary', 'progress', 'new']
  const block = fc.record(
    {
      type: fc.constantFrom('text', 'thinking', 'tool_use', 'tool_result', 'image', 'odd'),
      text: fc.oneof(fc.string(), fc.jsonValue()),
      content: fc.jsonValue(),
      input: fc.jsonValue(),
      source: fc.jsonValue(),
      id: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  )
  const record = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...types), fc.jsonValue()),
      uuid: fc.oneof(fc.uuid(), fc.jsonValue()),
      parentUuid: fc.oneof(fc.uuid(), fc.jsonValue()),
      timestamp: fc.jsonValue(),
      isSidechain: fc.jsonValue(),
      message: fc.oneof(
        fc.record({ content: fc.oneof(fc.array(block), fc.jsonValue()), usage: fc.jsonValue() }),
        fc.jsonValue(),
      ),
      attachment: fc.oneof(
        fc.record({ type: fc.constantFrom('queued_command', 'file'), prompt: fc.jsonValue() }),
        fc.jsonValue(),
      ),
      content: fc.jsonValue(),
    },
    { requiredKeys: ['type'] },
  )
  fc.assert(
    fc.property(record, (value) => {
      const text = JSON.stringify(value)
      const made = claudeCodeLine(JSON.parse(text), text, 'line')
      expect(typeof made).toBe('object')
      if (typeof made === 'object' && made.type === 'entries')
        expect(made.entries.length).toBeGreaterThan(0)
    }),
    { numRuns: 300 },
  )
})
