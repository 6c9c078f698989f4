import fs from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { parseArguments } from '../../src/cli/command/arguments'
import { searchCommand } from '../../src/cli/commands/search'
import { nodeDisk } from '../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../src/main/search/workers'
import type { SearchHit, SearchResult } from '../../src/shared/model/search'
import { lineOf, writeEntries, writeLines } from '../support/search-corpus'
import { tempFolders } from '../support/temp-folder'

const folder = tempFolders()
const fixtures = path.resolve(import.meta.dirname, '../fixtures')
const chibi = ['--home', `${fixtures}/chibi/home-v09`]
const cycod = ['--root', `cycod=${fixtures}/readers/cycod/input`]

/** Runs `skein search` as people do, with its output kept. */
async function run(argv: readonly string[], isTerminal = false) {
  const out: string[] = []
  const words: string[] = []
  const code = await searchCommand.run({
    args: parseArguments(['search', ...argv], [], { search: searchCommand.flags }),
    disk: nodeDisk,
    output: {
      write: async (text) => void out.push(String(text)),
      say: (text) => void words.push(text),
      isTerminal,
    },
    environment: { XDG_CACHE_HOME: folder() },
    readInput: async () => undefined,
    signal: new AbortController().signal,
    practiceWorker: '/nowhere/practice.worker.cjs',
    readPdf: async () => ({ fault: 'is not read here' }),
    searchWorkers: () => inlineWorkers(nodeDisk, searchDecoders),
  })
  return { code, out: out.join(''), words }
}

async function found(query: string, argv: readonly string[]): Promise<SearchResult> {
  const { code, out } = await run([query, ...argv, '--json'])
  expect(code).toBe(0)
  return JSON.parse(out)
}

const place = ({ source, key, entryId, field, line }: SearchHit) =>
  `${source}:${key} ${entryId} ${field} ${line}`

it('prints the shape that scripts rely on', async () => {
  const result = await found('zyzzyva', chibi)

  expect(Object.keys(result)).toEqual(
    expect.arrayContaining(['hits', 'total', 'segments', 'complete', 'elapsedMs']),
  )
  expect(result).toMatchObject({ total: 1, complete: true })
  const [hit] = result.hits
  expect(hit).toMatchObject({ source: 'chibi', key: 'default', field: 'content', line: 4 })
  const [start, end] = hit?.ranges[0] ?? [0, 0]
  expect(hit?.snippet.slice(start, end)).toBe('Zyzzyva')
})

it('finds a part of a word in the result of a tool, in both systems, and the tool that answered', async () => {
  const home = path.join(folder(), 'home')
  writeEntries(home, 'contexts/garden/transcript/active.jsonl', [
    { id: 'r1', content: 'Serendipity grows', entry_type: 'tool_result', from: 'shell' },
  ])
  expect((await found('rendipit', ['--home', home])).hits).toMatchObject([
    { key: 'garden', entryId: 'r1', field: 'result', tool: 'shell' },
  ])
  const [hit, ...more] = (await found('tool:RunBashCommand lo', cycod)).hits
  expect([place(hit as SearchHit), more]).toEqual([
    'cycod:chat-history-1754437000000 L5 result 5',
    [],
  ])
})

it('finds the decoded argument of a tool, in both systems', async () => {
  const home = path.join(folder(), 'home')
  const call = { entry_type: 'tool_call', to: 'write_file' }
  writeEntries(home, 'contexts/garden/transcript/active.jsonl', [
    { id: 'c1', content: JSON.stringify({ path: 'C:\\x' }), ...call },
  ])
  expect((await found('C:\\x', ['--home', home])).hits).toMatchObject([
    { entryId: 'c1', field: 'arguments', tool: 'write_file' },
  ])
  expect((await found('"cat tide.csv"', cycod)).hits.map(place)).toEqual([
    'cycod:chat-history-1754437000000 L4#2 arguments 4',
  ])
})

it('finds titles, and leaves out what a minus stands before', async () => {
  const titles = (await found('tide turns', cycod)).hits.filter(({ field }) => field === 'title')
  expect(titles).toMatchObject([
    { key: 'chat-history-1754437000000', entryId: null, line: null, timestamp: null },
  ])
  const all = await found('tide', cycod)
  const some = await found('tide -turns', cycod)
  expect(some.total).toBeLessThan(all.total)
  expect(some.hits.some(({ snippet }) => snippet.includes('turns'))).toBe(false)
})

it('finds every line of a damaged file, by the numbers that lines have there', async () => {
  const home = path.join(folder(), 'home')
  writeLines(home, 'contexts/garden/transcript/active.jsonl', [
    lineOf({ id: 'a', content: 'needle' }),
    '',
    '{"id":"torn","content":"needle',
    lineOf({ id: 'b', content: 'a second needle', timestamp: 5 }),
  ])
  expect((await found('needle', ['--home', home])).hits.map(place)).toEqual([
    'chibi:garden a content 1',
    'chibi:garden null damaged 3',
    'chibi:garden b content 4',
  ])
})

it('stops at a limit and says that it did; --count counts all the same', async () => {
  const home = path.join(folder(), 'home')
  const cache = ['--cache', folder()]
  for (let n = 0; n < 3; n++)
    writeEntries(
      home,
      `contexts/c${n}/transcript/active.jsonl`,
      Array.from({ length: 300 }, (_, i) => ({
        id: `${n}-${i}`,
        content: `needle ${'hay '.repeat(1500)}`,
        timestamp: n * 1000 + i,
      })),
    )
  const argv = ['--home', home, ...cache, '--limit', '2']
  await run(['--index', '--home', home, ...cache])
  const some = await found('needle', argv)
  expect(some.hits.map(({ entryId }) => entryId)).toEqual(['2-299', '2-298'])
  expect([some.complete, some.total < 900]).toEqual([false, true])
  const all = await found('needle', [...argv, '--count'])
  expect([all.complete, all.total, all.hits.length]).toEqual([true, 900, 2])
  const none = await found('serendipity', argv)
  expect([none.segments.read, none.segments.skipped]).toEqual([0, none.segments.total])
})

it('gives an entry that another conversation inherited once, with all its places', async () => {
  const root = path.join(folder(), 'history')
  const say = (role: string, content: string) => JSON.stringify({ role, content })
  const shared = [
    say('system', 'You help.'),
    say('user', 'good morning'),
    say('assistant', 'plant the celandine'),
    say('user', 'and then?'),
  ]
  const write = (name: string, lines: readonly string[]) =>
    writeLines(root, `chat-history-${name}.jsonl`, lines)
  write('1773140000001', [...shared, say('assistant', 'rest')])
  // A copy may have a title of its own, so that every line stands one further down.
  write('1773140000002', ['{"_meta":{"title":"Copy"}}', ...shared, say('assistant', 'celandine')])
  write('1773140000003', [say('user', 'hello'), say('assistant', 'plant the celandine')])
  const { hits, total } = await found('celandine', ['--root', `cycod=${root}`])

  expect(total).toBe(3)
  expect(hits.map((hit) => [place(hit), hit.also?.map((one) => `${one.key} ${one.line}`)])).toEqual(
    expect.arrayContaining([
      ['cycod:chat-history-1773140000001 L3 content 3', ['chat-history-1773140000002 4']],
      ['cycod:chat-history-1773140000002 L6 content 6', undefined],
      ['cycod:chat-history-1773140000003 L2 content 2', undefined],
    ]),
  )
})

it('says what could not be searched, finds the rest, and ends with 1', async () => {
  const home = path.join(folder(), 'home')
  writeEntries(home, 'contexts/good/transcript/active.jsonl', [{ id: 'a', content: 'needle' }])
  await fs.mkdir(path.join(home, 'contexts/bad/transcript/manifest.json'), { recursive: true })
  const { code, out } = await run(['needle', '--home', home, '--json'])
  const { hits, notices }: SearchResult = JSON.parse(out)

  expect(code).toBe(1)
  expect(hits.map(place)).toEqual(['chibi:good a content 1'])
  expect(notices.join()).toMatch(/^bad was not searched: /)
})

it('marks what was found where a person looks at it, and says the numbers beside it', async () => {
  const { out, words } = await run(['zyzzyva', ...chibi], true)
  expect(out).toMatch(/^2026-02-0[123] \d\d:\d\d {2}default {2}line 4 {2}/)
  expect(out).toContain('\u001b[1mZyzzyva\u001b[22m')
  expect(words).toEqual([
    expect.stringMatching(/^1 hit; \d+ segments?, \d+ read, 0 skipped; complete\.$/),
  ])
})

it('finds all the same where nothing can be cached', async () => {
  const file = path.join(folder(), 'no-folder')
  await fs.writeFile(file, '')
  const { code, out, words } = await run(['zyzzyva', '--index', ...chibi, '--cache', file])
  expect([code, out.includes('Zyzzyva')]).toEqual([0, true])
  expect(words.join('\n')).toMatch(/were not saved/)
})

it.each([[[]], [['x', '--limit', '0']], [['x', '--limit', 'many']]])(
  'refuses %j as usage',
  async (argv) => {
    await expect(run(argv)).rejects.toMatchObject({ name: 'UsageError' })
  },
)
