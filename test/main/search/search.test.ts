import fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch, type Search, type SearchOptions } from '../../../src/main/search/search'
import { inlineWorkers, threadWorkers } from '../../../src/main/search/workers'
import type { SearchableConversation, SearchDecoders } from '../../../src/shared/model/search'
import { bundled } from '../../support/bundled'
import {
  type CorpusEntry,
  conversation,
  lineOf,
  searchFile,
  writeEntries,
  writeLines,
} from '../../support/search-corpus'
import { tempFolders } from '../../support/temp-folder'

const folder = tempFolders()
const workerPath = bundled('src/main/search/search.worker.ts')

async function searchOver(
  conversations: readonly SearchableConversation[],
  more: {
    decoders?: SearchDecoders
    refresh?: Parameters<typeof openSearch>[0]['refresh']
    cache?: string
  } = {},
): Promise<Search> {
  const decoders = more.decoders ?? searchDecoders
  const search = openSearch({
    disk: nodeDisk,
    decoders,
    cacheFolder: more.cache ?? `${folder()}/cache`,
    workers: inlineWorkers(nodeDisk, decoders, 2000),
    ...(more.refresh === undefined ? {} : { refresh: more.refresh }),
  })
  await search.update(conversations)
  return search
}

async function idsFor(search: Search, query: string, options?: SearchOptions) {
  return (await search.run(query, options)).hits.map(({ entryId }) => entryId)
}

const entry = (id: string, content: string, more: Partial<CorpusEntry> = {}): CorpusEntry => ({
  id,
  content,
  ...more,
})

describe('search', () => {
  it('tells where a hit stands, and what of it', async () => {
    const where = folder()
    const lines = [
      lineOf(entry('a', 'nothing here')),
      '',
      lineOf(entry('b', 'Ä needle, and a NEEDLE', { timestamp: 5 })),
    ]
    const file = writeLines(where, 'a.jsonl', lines)
    const search = await searchOver([conversation('garden', [file])])
    expect(await search.run('needle')).toEqual({
      hits: [
        {
          source: 'chibi',
          key: 'garden',
          entryId: 'b',
          field: 'content',
          role: 'user',
          line: 3,
          timestamp: 5,
          snippet: 'Ä needle, and a NEEDLE',
          ranges: [
            [2, 8],
            [16, 22],
          ],
          file: 'a.jsonl',
          offset: Buffer.byteLength(`${lines[0]}\n\n`),
          length: Buffer.byteLength(lines[2] ?? ''),
        },
      ],
      total: 1,
      segments: { total: 1, read: 1, skipped: 0 },
      complete: true,
      planned: true,
      notices: [],
      elapsedMs: expect.any(Number),
    })
  })

  it('cuts a long text around the first match, at whole characters', async () => {
    const text = `${'🎉'.repeat(300)} ﬁnally a needle ${'e\u0301'.repeat(300)}`
    const file = writeEntries(folder(), 'a.jsonl', [entry('a', text)])
    const search = await searchOver([conversation('c', [file])])
    const [hit] = (await search.run('final')).hits
    const [start, end] = hit?.ranges[0] ?? [0, 0]
    expect(hit?.snippet.slice(start, end)).toBe('ﬁnal')
    expect(hit?.snippet.length).toBeLessThan(450)
    expect(text).toContain(hit?.snippet)
    expect(hit?.snippet).not.toMatch(/^[\udc00-\udfff]|[\ud800-\udbff]$|^\u0301/)
  })

  it('finds tool arguments decoded, and results, and says which', async () => {
    const file = writeEntries(folder(), 'a.jsonl', [
      entry('call', JSON.stringify({ path: 'C:\\x\\y', text: 'one\ntwo "three"' }), {
        entry_type: 'tool_call',
        to: 'write_file',
      }),
      entry('torn', '{"path":"C:\\\\x\\\\y","te', { entry_type: 'tool_call', to: 'write_file' }),
      entry('result', 'C:\\x\\y written', { entry_type: 'tool_result', from: 'write_file' }),
    ])
    const search = await searchOver([conversation('c', [file])])
    const { hits } = await search.run('"C:\\\\x\\\\y"')
    expect(hits.map(({ entryId, field }) => [entryId, field])).toEqual([
      ['call', 'arguments'],
      ['torn', 'arguments'],
      ['result', 'result'],
    ])
    expect(await idsFor(search, '"\\"three\\""')).toEqual(['call'])
    expect(await idsFor(search, 'tool:write_file written')).toEqual(['result'])
    expect(await idsFor(search, '"\\"path\\":"')).toEqual(['call', 'torn'])
  })

  it('reads lines as the store does: marks, returns, no last feed, damage, and what is recovered from it', async () => {
    const where = folder()
    const file = `${where}/a.jsonl`
    const lines = [
      `\ufeff${lineOf(entry('bom', 'needle 1'))}`,
      `${lineOf(entry('return', 'needle 2'))}\r`,
      `${lineOf(entry('glued', 'needle 3'))}${lineOf(entry('glued2', 'needle 4'))}`,
      '{"id":"torn","content":"needle 5',
      lineOf(entry('bad', 'needle #')),
      '{"id":"no entry","content":"needle 7"}',
      'needle 8',
      lineOf(entry('last', 'needle 9')),
    ]
    const bytes = Buffer.from(lines.join('\n'))
    bytes[bytes.indexOf('#')] = 0xff
    fs.writeFileSync(file, bytes)
    const search = await searchOver([conversation('c', [file])])
    const found = async () => {
      const { hits } = await search.run('needle')
      return hits.map(({ entryId, line }) => [entryId, line])
    }
    const expected = [
      ['bom', 1],
      ['return', 2],
      ['glued', 3],
      ['glued2', 3],
      [null, 4],
      ['bad', 5],
      [null, 6],
      [null, 7],
      ['last', 8],
    ]
    expect(await found()).toEqual(expected)
    await search.buildIndex({ all: true })
    expect(await found()).toEqual(expected)
  })

  it('finds a conversation by the name behind its title too, as one hit', async () => {
    const search = await searchOver([
      conversation('import-gap', [], { title: 'The lost hour', name: 'import-gap' }),
      conversation('other', [], { title: 'Another hour' }),
    ])
    const found = async (query: string) =>
      (await search.run(query)).hits.map(({ field, snippet }) => [field, snippet])
    expect(await found('import gap')).toEqual([['title', 'import-gap']])
    expect(await found('lost')).toEqual([['title', 'The lost hour']])
    expect(await found('hour')).toHaveLength(2)
    expect(await found('lost -import')).toEqual([['title', 'The lost hour']])
  })

  it('finds titles, as hits without an entry', async () => {
    const file = writeEntries(folder(), 'a.jsonl', [entry('a', 'about gardens', { timestamp: 10 })])
    const search = await searchOver([
      conversation('c', [file], { title: 'The Garden, replanted', updated: 20 }),
    ])
    const { hits, total } = await search.run('garden')
    expect(
      hits.map(({ entryId, field, snippet, ranges, line, timestamp }) => ({
        entryId,
        field,
        snippet,
        ranges,
        line,
        timestamp,
      })),
    ).toEqual([
      {
        entryId: null,
        field: 'title',
        snippet: 'The Garden, replanted',
        ranges: [[4, 10]],
        line: null,
        timestamp: null,
      },
      {
        entryId: 'a',
        field: 'content',
        snippet: 'about gardens',
        ranges: [[6, 12]],
        line: 1,
        timestamp: 10,
      },
    ])
    expect(total).toBe(2)
    expect(await idsFor(search, 'garden -replanted')).toEqual(['a'])
    expect(await idsFor(search, 'garden role:user')).toEqual(['a'])
  })

  it('asks words, phrases, negations and fields of one and the same entry', async () => {
    const where = folder()
    const a = writeEntries(where, 'a.jsonl', [
      entry('1', 'red apple pie', { role: 'user', timestamp: Date.UTC(2026, 0, 5) / 1000 }),
      entry('2', 'apple red', { to: 'user', timestamp: Date.UTC(2026, 1, 5) / 1000 }),
      entry('3', 'red', { entry_type: 'compaction', timestamp: null }),
    ])
    const b = writeEntries(where, 'b.jsonl', [
      entry('4', 'apple', { role: 'system', timestamp: 7 }),
    ])
    const search = await searchOver([
      conversation('orchard', [a], { updated: null }),
      conversation('kitchen', [b]),
    ])
    const ids = (query: string) => idsFor(search, query).then((all) => all.sort())
    expect(await ids('red apple')).toEqual(['1', '2'])
    expect(await ids('"red apple"')).toEqual(['1'])
    expect(await ids('apple -red')).toEqual(['4'])
    expect(await ids('role:user')).toEqual(['1'])
    expect(await ids('role:agent apple')).toEqual(['2'])
    expect(await ids('-role:user apple')).toEqual(['2', '4'])
    expect(await ids('type:compaction')).toEqual(['3'])
    expect(await ids('context:ORCHARD red')).toEqual(['1', '2', '3'])
    expect(await ids('context:orch red')).toEqual([])
    expect(await ids('title:orch red')).toEqual(['1', '2', '3'])
    expect(await ids('-context:orchard apple')).toEqual(['4'])
    expect(await ids('source:chibi apple')).toEqual(['1', '2', '4'])
    expect(await ids('source:other apple')).toEqual([])
    expect(await ids('after:2026-02 red')).toEqual(['2'])
    expect(await ids('before:2026-02 red')).toEqual(['1'])
    expect(await ids('before:2026-02 apple')).toEqual(['1', '4'])
    expect(await ids('from:ann')).toEqual(['1', '2', '4'])
    expect(await ids('from:ann -red')).toEqual(['4'])
    expect(await ids('to:ann')).toEqual([])
    expect(await ids('')).toEqual([])
  })

  it("gives the newest first: by time, else the conversation's, then key and line", async () => {
    const where = folder()
    const a = writeEntries(where, 'a.jsonl', [
      entry('old', 'x1 needle', { timestamp: 100 }),
      entry('untimed', 'x2 needle', { timestamp: null }),
      entry('same 1', 'x3 needle', { timestamp: 300 }),
      entry('same 2', 'x4 needle', { timestamp: 300 }),
    ])
    const b = writeEntries(where, 'b.jsonl', [
      entry('other', 'x5 needle', { timestamp: 300 }),
      entry('newest', 'x6 needle', { timestamp: 400 }),
    ])
    const search = await searchOver([
      conversation('b', [b]),
      conversation('a', [a], { updated: 200 }),
    ])
    const order = ['newest', 'same 1', 'same 2', 'other', 'untimed', 'old']
    expect(await idsFor(search, 'needle')).toEqual(order)
    await search.buildIndex({ all: true })
    expect(await idsFor(search, 'needle')).toEqual(order)
    expect(await idsFor(search, 'needle', { limit: 3 })).toEqual(order.slice(0, 3))
  })

  it('stops at a limit when nothing newer can come, and says so', async () => {
    const where = folder()
    const all = Array.from({ length: 200 }, (_, n) =>
      entry(`e${n}`, `needle ${'hay '.repeat(20)}${n}`, { timestamp: 1000 + n }),
    )
    const file = writeEntries(where, 'a.jsonl', all)
    const search = await searchOver([conversation('c', [file])])
    await search.buildIndex({ all: true })
    const some = await search.run('needle', { limit: 5 })
    expect(some.hits.map(({ entryId }) => entryId)).toEqual([
      'e199',
      'e198',
      'e197',
      'e196',
      'e195',
    ])
    expect([some.complete, some.total < 200, some.segments.read < 5]).toEqual([false, true, true])
    const counted = await search.run('needle', { limit: 5, countAll: true })
    expect([counted.complete, counted.total, counted.hits.length]).toEqual([true, 200, 5])
    expect(counted.segments.read).toBe(counted.segments.total)
  })

  it('skips segments by words and by time, and says how many', async () => {
    const where = folder()
    const all = Array.from({ length: 200 }, (_, n) =>
      entry(`e${n}`, `${n === 77 ? 'serendipity' : 'hay'} ${'hay '.repeat(20)}`, {
        timestamp: 1000 + n,
      }),
    )
    const file = writeEntries(where, 'a.jsonl', all)
    const search = await searchOver([conversation('c', [file])])
    const before = await search.run('serendipity')
    expect([before.total, before.segments]).toEqual([1, { total: 1, read: 1, skipped: 0 }])
    await search.buildIndex({ all: true })
    const { total, segments, hits } = await search.run('rendipit')
    expect([total, segments.read, segments.skipped]).toEqual([1, 1, segments.total - 1])
    expect(hits[0]?.line).toBe(78)
    const late = await search.run('hay after:1970-01-01T00:19:50Z')
    expect([late.total, late.segments.skipped > 5]).toEqual([10, true])
  })

  it.each([
    ['serendipity', true],
    ['日本', true],
    ['of', false],
    ['=>', false],
    ['role:user', false],
    ['of serendipity', true],
  ])('says of %j whether filters could be asked: %s', async (query, planned) => {
    const file = writeEntries(folder(), 'a.jsonl', [entry('a', 'text')])
    const search = await searchOver([conversation('c', [file])])
    expect((await search.run(query)).planned).toBe(planned)
  })

  it('gives a copied entry once, with the other places', async () => {
    const where = folder()
    const a = writeEntries(where, 'a.jsonl', [
      entry('same', 'needle'),
      entry('own', 'another needle'),
    ])
    const b = writeEntries(where, 'b.jsonl', [
      entry('same', 'needle'),
      entry('own', 'a different needle'),
    ])
    const search = await searchOver([conversation('a', [a]), conversation('b', [b])])
    const { hits, total } = await search.run('needle')
    expect(total).toBe(3)
    const same = hits.filter(({ entryId }) => entryId === 'same')
    expect(same.map(({ key, also }) => [key, also])).toEqual([
      [
        'a',
        [
          {
            source: 'chibi',
            key: 'b',
            entryId: 'same',
            line: 1,
            file: 'b.jsonl',
            offset: 0,
            length: 104,
          },
        ],
      ],
    ])
  })

  it('leaves inherited entries to their parent, which names the heirs', async () => {
    const where = folder()
    const shared = [entry('L1', 'needle one'), entry('L2', 'needle two')]
    const parent = writeEntries(where, 'parent.jsonl', [...shared, entry('L3', 'needle three')])
    const child = writeEntries(where, 'child.jsonl', [...shared, entry('L3', 'needle four')])
    const end = Buffer.byteLength(shared.map((each) => `${lineOf(each)}\n`).join(''))
    const childKey = conversation('child', []).key
    const search = await searchOver([
      conversation('parent', [], {
        files: [searchFile(parent, { heirs: [{ source: 'chibi', key: childKey, until: end }] })],
      }),
      conversation('child', [], { files: [searchFile(child, { own: { offset: end, line: 3 } })] }),
    ])
    for (let round = 0; round < 2; round++) {
      const { hits, total } = await search.run('needle')
      expect([
        total,
        hits
          .map(
            ({ key, entryId, line, also }) => `${key} ${entryId} ${line} ${also?.[0]?.key ?? ''}`,
          )
          .sort(),
      ]).toEqual([4, ['child L3 3 ', 'parent L1 1 child', 'parent L2 2 child', 'parent L3 3 ']])
      await search.buildIndex({ all: true })
    }
  })

  it('sees what a file had when it was told of it, and more once it is told again', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', [entry('a', 'needle')])
    const search = await searchOver([conversation('c', [file])])
    fs.appendFileSync(file, `${lineOf(entry('b', 'needle too'))}\n`)
    expect(await idsFor(search, 'needle')).toEqual(['a'])
    await search.update([conversation('c', [file])])
    expect(await idsFor(search, 'needle')).toEqual(['a', 'b'])
  })

  it('follows a file that was renamed, and tells of one that is gone', async () => {
    const where = folder()
    const file = writeEntries(where, 'a.jsonl', [entry('a', 'needle')])
    const moved = `${where}/moved.jsonl`
    const refresh = async () => (fs.existsSync(moved) ? conversation('c', [moved]) : undefined)
    const search = await searchOver([conversation('c', [file])], { refresh })
    fs.renameSync(file, moved)
    const { hits, notices } = await search.run('needle')
    expect([hits.map((hit) => [hit.entryId, hit.file]), notices]).toEqual([
      [['a', 'moved.jsonl']],
      [],
    ])
    fs.rmSync(moved)
    const gone = await search.run('needle')
    expect([gone.total, gone.notices]).toEqual([
      0,
      ['a.jsonl was replaced or removed while it was searched.'],
    ])
  })

  it('streams hits and counts, and ends early when it is told to', async () => {
    const where = folder()
    const all = Array.from({ length: 300 }, (_, n) =>
      entry(`e${n}`, `needle ${'hay '.repeat(30)}`, { timestamp: n }),
    )
    const file = writeEntries(where, 'a.jsonl', all)
    const search = await searchOver([conversation('c', [file])])
    await search.buildIndex({ all: true })
    const controller = new AbortController()
    const streamed: string[] = []
    const counts: number[] = []
    const result = await search.run('needle', {
      limit: 1000,
      signal: controller.signal,
      found: (hits) => {
        streamed.push(...hits.map(({ entryId }) => String(entryId)))
      },
      progress: ({ read }) => {
        counts.push(read)
        if (counts.length === 2) controller.abort()
      },
    })
    // Counts come after rounds of jobs, each longer than the one before.
    expect([result.complete, counts, result.segments.read]).toEqual([false, [8, 24], 24])
    expect(streamed.length).toBe(result.total)
    expect(result.total).toBeLessThan(300)
  })

  it('reads a document whole, and again whole when it changes', async () => {
    const where = folder()
    const file = `${where}/chat.json`
    const write = (words: readonly string[]) => fs.writeFileSync(file, JSON.stringify(words))
    const decoders: SearchDecoders = {
      words: {
        unit: 'document',
        decode: (bytes) =>
          (JSON.parse(Buffer.from(bytes).toString()) as string[]).map((text, n) => ({
            entryId: `w${n}`,
            timestamp: null,
            field: 'content' as const,
            text,
            type: 'message',
            line: n + 1,
            offset: 0,
            length: 1,
          })),
      },
    }
    const now = () => conversation('c', [], { files: [searchFile(file, { decoder: 'words' })] })
    write(['one needle', 'hay'])
    const search = await searchOver([now()], { decoders })
    for (let round = 0; round < 2; round++) {
      expect(await idsFor(search, 'needle')).toEqual(['w0'])
      await search.buildIndex({ all: true })
    }
    expect((await search.run('absent')).segments.skipped).toBe(1)
    write(['one needle', 'hay', 'another needle'])
    await search.update([now()])
    expect(await idsFor(search, 'needle')).toEqual(['w0', 'w2'])
    await search.buildIndex({ all: true })
    expect(await idsFor(search, 'needle')).toEqual(['w0', 'w2'])
  })

  it('finds the same in threads, and goes on when one of them dies', async () => {
    const where = folder()
    const all = Array.from({ length: 400 }, (_, n) =>
      entry(`e${n}`, `needle ${'hay '.repeat(30)}${n}`, { timestamp: n }),
    )
    const files = [0, 1, 2, 3].map((n) =>
      writeEntries(where, `${n}.jsonl`, all.slice(n * 100, n * 100 + 100)),
    )
    const workers = threadWorkers(workerPath(), 2)
    const search = openSearch({
      disk: nodeDisk,
      decoders: searchDecoders,
      cacheFolder: `${where}/cache`,
      workers,
    })
    try {
      await search.update(files.map((file, n) => conversation(`c${n}`, [file])))
      const before = await search.run('needle 77', { limit: 1000 })
      expect(before.total).toBe(4)
      await search.buildIndex({ all: true })
      expect(search.indexProgress().coveredBytes).toBe(search.indexProgress().totalBytes)
      const after = await search.run('needle 77', { limit: 1000 })
      expect(after.hits).toEqual(before.hits)
      expect((await search.run('absentword')).segments.read).toBe(0)
      await search.close()
      expect((await search.run('needle 77', { limit: 1000 })).hits).toEqual(before.hits)
      const controller = new AbortController()
      controller.abort()
      expect((await search.run('needle', { signal: controller.signal })).complete).toBe(false)
    } finally {
      await search.close()
    }
  })
})
