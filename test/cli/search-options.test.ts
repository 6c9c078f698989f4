import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { searchCommand } from '../../src/cli/commands/search'
import { contextLines } from '../../src/cli/search/hit-text'
import { appDisk } from '../../src/main/disk/app-disk'
import { historyDisk } from '../../src/main/readers/history-disk'
import type { SearchHit } from '../../src/shared/model/search'
import { writeEntries } from '../support/search-corpus'
import { tempFolders } from '../support/temp-folder'
import { fixtures, run } from './run'

const folder = tempFolders()
const family = ['--root', `cycod=${fixtures}/branches/cycod-family`]

type Told = SearchHit & {
  readonly context?: readonly {
    readonly line: number
    readonly text: string
    readonly match: boolean
  }[]
}

async function found(argv: readonly string[]): Promise<{ hits: readonly Told[]; total: number }> {
  return JSON.parse((await run(searchCommand, [...argv, '--json'], { cache: folder() })).out)
}

const ids = ({ hits }: { hits: readonly Told[] }) => hits.map(({ entryId }) => entryId)

/** A home with one conversation: a person, a model, a tool's call and result, a time for each. */
function garden(): readonly string[] {
  const home = path.join(folder(), 'home')
  const day = (date: string) => Date.parse(`${date}T12:00:00Z`) / 1000
  writeEntries(home, 'contexts/garden/transcript/active.jsonl', [
    { id: 'u', role: 'user', content: 'Which Tulip?\nred\nblue', timestamp: day('2026-03-01') },
    {
      id: 'a',
      role: 'agent',
      to: 'user',
      content: 'one\ntwo\nA tulip.\nfour\nfive\nsix',
      timestamp: day('2026-03-02'),
    },
    {
      id: 'c',
      entry_type: 'tool_call',
      to: 'shell',
      content: '{"path":"C:\\\\tulip\\nrow"}',
      timestamp: day('2026-03-03'),
    },
    {
      id: 'r',
      entry_type: 'tool_result',
      from: 'shell',
      content: 'TULIP',
      timestamp: day('2026-03-04'),
    },
  ])
  return ['--home', home]
}

it('gives the lines around what matches, of the whole text, decoded as it is searched', async () => {
  const { hits } = await found(['tulip', '--context', '1', ...garden()])
  const context = (id: string) => hits.find(({ entryId }) => entryId === id)?.context
  expect(context('a')).toEqual([
    { line: 2, text: 'two', match: false },
    { line: 3, text: 'A tulip.', match: true },
    { line: 4, text: 'four', match: false },
  ])
  expect(context('u')?.map(({ text }) => text)).toEqual(['Which Tulip?', 'red'])
  expect(context('c')?.map(({ text }) => text)).toEqual(['{"path":"C:\\tulip', 'row"}'])
})

it('prints those lines with their numbers, and marks the ones that match', async () => {
  const { out } = await run(searchCommand, ['four', '-C', '1', ...garden()], { cache: folder() })
  expect(out).toMatch(
    /line 2 {2}one two A tulip. four five six\n {8}3 {2}A tulip\.\n {2}> {5}4 {2}four\n {8}5 {2}five\n$/,
  )
})

it('joins what several matches have around them, and breaks lines as files do', () => {
  const text = Array.from({ length: 12 }, (_, n) => (n % 5 === 3 ? `x${n}` : `${n}`)).join('\r\n')
  const shown = contextLines(text, (line) => line.startsWith('x'), 1)
  expect(shown.map(({ text }) => text)).toEqual(['2', 'x3', '4', '7', 'x8', '9'])
  expect(contextLines('a\nb\nc', () => false, 1).map(({ text }) => text)).toEqual(['a', 'b'])
  expect(contextLines('a\rx\nc', (line) => line === 'x', 0)).toEqual([
    { line: 2, text: 'x', match: true },
  ])
})

it('tells upper from lower case only where that is asked for', async () => {
  const home = garden()
  expect(ids(await found(['tulip', ...home]))).toEqual(['r', 'c', 'a', 'u'])
  expect(ids(await found(['tulip', '--case-sensitive', ...home]))).toEqual(['c', 'a'])
  expect(await found(['tulip', '-c', '--limit', '1', ...home])).toMatchObject({
    total: 2,
    hits: [{ entryId: 'c' }],
  })
  expect(ids(await found(['Tulip', 'red', '-c', ...home]))).toEqual(['u'])
})

it('finds what one side said, and what was said in a time', async () => {
  const home = garden()
  expect(ids(await found(['tulip', '--role', 'user', ...home]))).toEqual(['u'])
  expect(ids(await found(['tulip', '--role', 'assistant', ...home]))).toEqual(['a'])
  expect(ids(await found(['tulip', '--date', '2026-03-02..2026-03-03', ...home]))).toEqual([
    'c',
    'a',
  ])
  expect(ids(await found(['tulip', '--before', '2026-03-02', ...home]))).toEqual(['u'])
  expect(ids(await found(['tulip', '--source', 'chibi', ...home, ...family]))).toHaveLength(4)
})

it('tries a pattern on every text, line by line, newest first', async () => {
  const home = garden()
  expect(ids(await found(['^a tulip\\.$', '--regex', ...home]))).toEqual(['a'])
  expect(ids(await found(['^a tulip\\.$', '--regex', '-c', ...home]))).toEqual([])
  expect(ids(await found(['[tT]ulip', '-r', '-c', ...home]))).toEqual(['c', 'a', 'u'])
  const { hits, total } = await found(['C:\\\\t', '-r', '--limit', '1', ...home])
  const [hit] = hits
  expect([total, hit?.snippet.slice(...(hit.ranges[0] ?? []))]).toEqual([1, 'C:\\t'])
  expect(ids(await found(['tulip', '-r', '--role', 'user', ...home]))).toEqual(['u'])
  expect(ids(await found(['tulip', '-r', '--after', '2026-03-04', ...home]))).toEqual(['r'])
  expect((await found(['tulip', '-r', '-C', '0', ...home])).hits.map((one) => one.context)).toEqual(
    [
      [{ line: 1, text: 'TULIP', match: true }],
      [{ line: 1, text: '{"path":"C:\\tulip', match: true }],
      [{ line: 3, text: 'A tulip.', match: true }],
      [{ line: 1, text: 'Which Tulip?', match: true }],
    ],
  )
})

it.each(['large', 'check', 'move'])(
  'finds with the pattern %s what search finds for that word, in a family as well',
  async (word) => {
    const entries = async (...more: string[]) =>
      (await found([word, ...more, ...family])).hits
        .filter(({ field }) => field !== 'title')
        .map(({ key, line }) => `${key} ${line}`)
        .sort()
    expect(await entries('--regex')).toEqual(await entries())
  },
)

it('puts the hits of a conversation together', async () => {
  const argv = ['large', '--group', ...family]
  const { out } = await run(searchCommand, argv, { cache: folder() })
  const groups = out.split('\n').filter((line) => /^\S/.test(line))
  expect(groups).toContain('Find large files (cycod:chat-history-1754437000000): 2 hits')
  const told = JSON.parse((await run(searchCommand, [...argv, '--json'], { cache: folder() })).out)
  const counts = told.groups.map((group: { hits: number }) => group.hits)
  expect(counts.reduce((all: number, one: number) => all + one, 0)).toBe(told.hits.length)
  expect(new Set(told.groups.map((group: { key: string }) => group.key)).size).toBe(counts.length)
})

it.each([
  [['(', '--regex'], 'Invalid regular expression: /(/'],
  [['x', '--regex', '--index'], '--index has no effect with --regex, which reads all text.'],
  [['x', '--role', 'tool'], '--role takes one of user, agent, system here'],
  [['x', '--context', 'many'], '--context needs a whole number, not "many".'],
  [['x', '--source', 'fluux'], 'Nothing of the source "fluux" is read'],
])('refuses %j in words', async (argv, words) => {
  await expect(run(searchCommand, [...argv, ...family], { cache: folder() })).rejects.toThrow(words)
})

it.each([
  [
    'copilot',
    'workspaceStorage/abc/chatSessions/chat-1.json',
    {
      ...{ version: 3, creationDate: 1_789_030_800_000, sessionId: 'chat-1' },
      requests: [
        {
          ...{ requestId: 'r', timestamp: 1_789_030_860_000, message: { text: 'q', parts: [] } },
          response: [{ value: 'Plant chrysan' }, { value: 'themums now' }],
        },
      ],
    },
  ],
  [
    'lm-studio',
    '1789030800000.conversation.json',
    {
      name: 'Beds',
      createdAt: 1_789_030_800_000,
      messages: [
        {
          currentlySelected: 0,
          versions: [
            {
              ...{ type: 'singleStep', role: 'user' },
              content: [
                { type: 'text', text: 'Plant chrysan' },
                { type: 'text', text: 'themums now' },
              ],
            },
          ],
        },
      ],
    },
  ],
])(
  'finds a word that %s keeps in two pieces, with the filters and without',
  async (source, name, value) => {
    const root = folder()
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), JSON.stringify(value))
    const more = { cache: folder(), disk: historyDisk(appDisk) }
    const argv = ['chrysanthemums', '--root', `${source}=${root}`, '--json']
    for (const flags of [[], ['--index']]) {
      const { hits } = JSON.parse((await run(searchCommand, [...argv, ...flags], more)).out)
      expect(hits.map(({ snippet }: Told) => snippet)).toEqual(['Plant chrysanthemums now'])
    }
  },
)

it('counts the hits by facets, of a facet that is asked for its other values too', async () => {
  const root = garden()
  const { code, out, words } = await run(searchCommand, ['tulip', '--facets', ...root], {
    cache: folder(),
  })
  expect(code).toBe(0)
  expect(out.split('\n')).toEqual([
    'source',
    '  4  chibi',
    'type',
    '  2  message',
    '  1  tool_call',
    '  1  tool_result',
    'role',
    '  1  agent',
    '  1  user',
    'tool',
    '  2  shell',
    'month',
    '  4  2026-03',
    'branch',
    '  4  current',
    '  0  left',
    '',
  ])
  expect(words).toContain('Every hit is counted.')

  const argv = ['tulip type:tool_call', '--facets', '--json', ...root]
  const { facets } = JSON.parse((await run(searchCommand, argv, { cache: folder() })).out)
  const valuesOf = (name: string) =>
    facets.find(({ facet }: { facet: string }) => facet === name)?.values
  expect(valuesOf('type')).toEqual([
    { value: 'message', count: 2 },
    { value: 'tool_call', count: 1 },
    { value: 'tool_result', count: 1 },
  ])
  expect(valuesOf('tool')).toEqual([{ value: 'shell', count: 1 }])
  expect(valuesOf('role')).toEqual([])
})

it('has the exit code of the query itself beside --facets, whatever other values of a facet have', async () => {
  const root = garden()
  const codeOf = async (query: string) =>
    (await run(searchCommand, [query, '--facets', '--exit-code', ...root], { cache: folder() }))
      .code
  expect(await codeOf('tulip role:user')).toBe(0)
  // An answer has a tulip, and the facet says so.
  expect(await codeOf('tulip role:system')).toBe(1)
  expect(await codeOf('tulip type:tool_call role:user')).toBe(1)
})

it('has the oldest or the best hits first with --order, and says which of them are shown', async () => {
  const root = garden()
  const idsBy = async (...argv: readonly string[]) => ids(await found([...argv, ...root]))
  const newest = await idsBy('tulip')
  expect(await idsBy('tulip', '--order', 'newest')).toEqual(newest)
  expect(await idsBy('tulip', '--order', 'oldest')).toEqual([...newest].reverse())
  expect((await idsBy('tulip', '--order', 'best'))[0]).toBe('u')
  expect(await idsBy('-r', 'tulip', '--order', 'oldest')).toEqual(
    [...(await idsBy('-r', 'tulip'))].reverse(),
  )
  for (const order of ['newest', 'oldest', 'best']) {
    const { words } = await run(
      searchCommand,
      ['tulip', '--limit', '1', '--order', order, ...root],
      { cache: folder() },
    )
    expect(words).toContain(`the ${order} 1 shown`)
  }
  for (const argv of [
    ['x', '--order', 'random'],
    ['x', '--order', 'best', '--jsonl'],
    ['x', '--order', 'best', '--facets'],
    ['-r', 'x', '--order', 'best'],
  ])
    await expect(run(searchCommand, [...argv, ...root]), argv.join(' ')).rejects.toThrow(/--order/)
})

it('refuses options beside --facets that would do nothing', async () => {
  for (const argv of [
    ['x', '--facets', '--limit', '3'],
    ['x', '--facets', '--group'],
    ['-r', 'x', '--facets'],
  ])
    await expect(run(searchCommand, [...argv, ...garden()])).rejects.toThrow(/--facets/)
})

it('says on standard error what is near to a query without hits', async () => {
  const root = garden()
  const { out, words } = await run(searchCommand, ['tulpi role:user', ...root], { cache: folder() })
  expect(out).toBe('')
  expect(words).toContain('No text has tulpi; with tulip: tulip role:user')
  const other = await run(searchCommand, ['tulip role:system', ...root], { cache: folder() })
  expect(other.words).toContain('Without role:system: 4 hits: tulip')
})
