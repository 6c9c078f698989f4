import { describe, expect, it } from 'vitest'
import type { Random } from '../../../bench/support/random'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch, type Search } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { anyScript } from '../../support/any-script'
import { drawnRandom, trialsOf } from '../../support/drawn-alike'
import { foldPlainly, meantPlainly } from '../../support/plain-fold'
import { type CorpusEntry, conversation, writeEntries } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

/** Queries of all corpora together. */
const trials = trialsOf(500)
const queriesOfCorpus = 250

const folder = tempFolders(memoryFolder)

async function searchOver(files: readonly string[]): Promise<Search> {
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${folder()}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders, 1500),
  })
  await search.update(files.map((file, n) => conversation(`c${n}`, [file], { title: `talk ${n}` })))
  return search
}

async function answerTo(search: Search, query: string) {
  const { hits, complete, notices, segments } = await search.run(query, { limit: 100_000 })
  expect([complete, notices]).toEqual([true, []])
  return { ids: hits.flatMap(({ entryId }) => entryId ?? []).sort(), segments }
}

async function idsOf(search: Search, query: string): Promise<readonly string[]> {
  return (await answerTo(search, query)).ids
}

/** A query, and what it finds by its definition. */
interface Asked {
  readonly query: string
  readonly finds: (entry: Placed) => boolean
  /** It stands without brackets beside others. */
  readonly isOne: boolean
}

interface Placed extends CorpusEntry {
  readonly conversation: number
  readonly folded: string
}

const names = ['ann', 'anna', 'zoe', 'shell_exec']

const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`
const one = (query: string, finds: Asked['finds']): Asked => ({ query, finds, isOne: true })
const inBrackets = ({ query, isOne }: Asked) => (isOne ? query : `(${query})`)

/** The switches of a query: words and phrases as they are written, whole words. */
interface Switches {
  readonly matchesCase: boolean
  readonly isWhole: boolean
}

const ofWords = /[\p{L}\p{N}\p{M}_]/u

/** Tells whether a text has another: folded, or as the switches ask. */
function texts({ matchesCase, isWhole }: Switches, text: string): (entry: Placed) => boolean {
  const folded = foldPlainly(text)
  if (!matchesCase && !isWhole) return (entry) => entry.folded.includes(folded)
  const found = anyPattern(escaped(text), matchesCase ? '' : 'i')
  const place = found && new RegExp(found.source, `${found.flags}g`)
  return (entry) => {
    const content = wellFormed(entry.content)
    for (let at = 0; place !== undefined && at <= content.length; at++) {
      place.lastIndex = at
      const { index = -1, 0: match = '' } = place.exec(content) ?? {}
      if (index < 0) return false
      const before = [...content.slice(0, index)].at(-1) ?? ''
      const [behind = ''] = content.slice(index + match.length)
      if (!isWhole || (!ofWords.test(before) && !ofWords.test(behind))) return true
      // In the middle of a pair it is found from the pair's beginning.
      at = Math.max(at, index)
    }
    return false
  }
}

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')

function drawLeaf(random: Random, entries: readonly Placed[], switches: Switches): Asked {
  const content = entries[random.below(entries.length)]?.content ?? ''
  const from = random.below(content.length)
  const part = content.slice(from, from + 2 + random.below(6))
  switch (random.below(10)) {
    case 8: {
      const name = names[random.below(names.length)] ?? ''
      return random.below(2) === 0
        ? one(`from:${name}`, ({ from }) => from?.includes(name) === true)
        : one(`to:${name}`, ({ to }) => to?.includes(name) === true)
    }
    case 0:
      return one('role:user', ({ role }) => role === 'user')
    case 1: {
      const number = random.below(3)
      return one(`context:c${number}`, (entry) => entry.conversation === number)
    }
    case 2: {
      const day = new Date(2026, 0, 1 + random.below(16))
      const date = `2026-01-${String(day.getDate()).padStart(2, '0')}`
      return one(`after:${date}`, ({ timestamp }) => (timestamp ?? 0) >= day.getTime() / 1000)
    }
    case 3:
    case 4:
      return drawPattern(random, part)
    default: {
      // A text that folds to nothing asks nothing.
      // As it is typed between the quotes, too.
      const meant = [quoted(part).slice(1, -1), ...meantPlainly(part)]
        .filter((text) => foldPlainly(text) !== '')
        .map((text) => texts(switches, text))
      return meant.length === 0 || part.trim() === ''
        ? one('role:user', ({ role }) => role === 'user')
        : one(quoted(part), (entry) => meant.some((has) => has(entry)))
    }
  }
}

/** A pattern made of a part of some text: as it is, cut in two, or one of two. */
function drawPattern(random: Random, part: string): Asked {
  const half = Math.ceil(part.length / 2)
  const [left, right] = [escaped(part.slice(0, half)), escaped(part.slice(half))]
  const source = [
    `${left}${right}`,
    `${left}.*?${right}`,
    `(?:${left}|${right}x)`,
    `${left}(?:${right})?`,
    `[a-e]+${right}`,
    `^${left}`,
    `(?=${left})[^]*${right}$`,
  ][random.below(7)] as string
  const flags = ['', 'i', 's'][random.below(3)] as string
  const compiled = anyPattern(source, flags)
  const isOdd = /^[\s*/]|^$|\n/.test(source) || compiled === undefined
  return isOdd
    ? one('-role:user', ({ role }) => role !== 'user')
    : one(`/${source}/${flags}`, ({ content }) => compiled.test(wellFormed(content)))
}

/** Files cannot have halves of pairs: they are read as U+FFFD. */
function wellFormed(text: string): string {
  return JSON.parse(Buffer.from(JSON.stringify(text)).toString())
}

function anyPattern(source: string, flags: string): RegExp | undefined {
  for (const mode of ['u', ''])
    try {
      return new RegExp(source, `m${flags}${mode}`)
    } catch {}
  return undefined
}

function draw(
  random: Random,
  entries: readonly Placed[],
  switches: Switches,
  depth: number,
): Asked {
  const kind = depth === 0 ? 9 : random.below(8)
  if (kind > 4) return drawLeaf(random, entries, switches)
  const parts = Array.from({ length: 2 + random.below(2) }, () =>
    draw(random, entries, switches, depth - 1),
  )
  const [first] = parts as [Asked]
  if (kind === 0)
    return one(
      first.isOne ? `-${first.query}` : `-(${first.query})`,
      (entry) => !first.finds(entry),
    )
  if (kind < 3)
    return {
      query: parts.map(inBrackets).join(' OR '),
      finds: (entry) => parts.some(({ finds }) => finds(entry)),
      isOne: false,
    }
  // Brackets are text where the query has no OR: they are left out where all must hold.
  const query = parts.map((part) => (part.query.includes(' OR ') ? inBrackets(part) : part.query))
  return {
    query: query.join(' '),
    finds: (entry) => parts.every(({ finds }) => finds(entry)),
    isOne: false,
  }
}

/** `--x` would be a word. */
function isPlain(query: string): boolean {
  return !/--/.test(query)
}

describe('a query of the whole language', () => {
  it(
    'finds what its definition says, with the index as without',
    async () => {
      const random = drawnRandom(17)
      let skipped = 0
      let total = 0
      for (let done = 0; done < trials; done += queriesOfCorpus) {
        const writer = anyScript(random)
        const where = folder()
        const entries: Placed[] = []
        const files = [0, 1, 2].map((number) => {
          const own = Array.from({ length: 16 }, (_, n): Placed => {
            const content = writer.text(1 + random.below(12))
            const day = 1 + random.below(16)
            return {
              id: `e${number}-${n}`,
              content,
              timestamp: new Date(2026, 0, day, 12).getTime() / 1000,
              role: random.below(2) === 0 ? 'user' : 'agent',
              from: names[random.below(names.length)] ?? '',
              to: names[random.below(names.length)] ?? '',
              conversation: number,
              folded: foldPlainly(content),
            }
          })
          entries.push(...own)
          const plain = own.map(({ conversation: _, folded: __, ...entry }) => entry)
          return writeEntries(where, `${number}.jsonl`, plain)
        })
        const search = await searchOver(files)
        for (let n = 0; n < queriesOfCorpus; n++) {
          if (n === queriesOfCorpus / 2) await search.buildIndex({ all: true })
          const switches = { matchesCase: random.below(8) === 0, isWhole: random.below(8) === 0 }
          const { query: asked, finds, isOne } = draw(random, entries, switches, 3)
          if (!isPlain(asked)) continue
          const query = [
            isOne || !asked.includes(' OR ') ? asked : `(${asked})`,
            ...(switches.matchesCase ? ['case:yes'] : []),
            ...(switches.isWhole ? ['words:whole'] : []),
          ].join(' ')
          const expected = entries.filter(finds).map(({ id }) => id)
          const { ids, segments } = await answerTo(search, query)
          expect(ids, query).toEqual(expected.sort())
          skipped += segments.skipped
          total += segments.total
        }
        await search.close()
      }
      // A test of pruning that prunes nothing would show nothing.
      expect(skipped / total).toBeGreaterThan(0.1)
    },
    60_000 + trials * 200,
  )
})

const entry = (id: string, content: string): CorpusEntry => ({ id, content })

describe('a pattern', () => {
  it('that computes without end on a text says so, and finds the others', async () => {
    const texts = [entry('a', `${'a'.repeat(50_000)}b`), entry('b', 'aaa'), entry('c', 'b')]
    const search = await searchOver([writeEntries(folder(), 'a.jsonl', texts)])
    const { hits, notices } = await search.run('/(a+)+$/')
    expect(hits.map(({ entryId }) => entryId)).toEqual(['b'])
    expect(notices).toEqual([
      'The pattern takes too long on one text, which may hold further hits.',
    ])
    await search.close()
  })

  it('is marked where it matches, and words beside it', async () => {
    const text = `${'x '.repeat(200)}kmalloc(size, GFP_ATOMIC) and free`
    const search = await searchOver([writeEntries(folder(), 'a.jsonl', [entry('a', text)])])
    const { hits } = await search.run('/kmalloc\\([^)]*gfp_\\w+/i free')
    const [hit] = hits
    const marked = hit?.ranges.map(([from, to]) => hit.snippet.slice(from, to))
    expect(marked).toEqual(['kmalloc(size, GFP_ATOMIC', 'free'])
    await search.close()
  })

  it('is looked for in the segments alone that may have its literals', async () => {
    const many = Array.from({ length: 60 }, (_, n) =>
      entry(
        `e${n}`,
        `${'plain words of no account '.repeat(4)}${n === 7 ? 'kmalloc(gfp_atomic)' : ''}`,
      ),
    )
    const search = await searchOver([writeEntries(folder(), 'a.jsonl', many)])
    await search.buildIndex({ all: true })
    const found = await search.run('/kmal+oc\\((?:gfp_|unknown)\\w+/')
    expect([found.total, found.planned]).toEqual([1, true])
    expect(found.segments.read).toBeLessThan(found.segments.total)
    const anywhere = await search.run('/\\w+\\(|x*/')
    expect([anywhere.total, anywhere.planned]).toEqual([60, false])
    await search.close()
  })
})

describe('words as they are written', () => {
  it.each([
    ['Pea case:yes', ['b', 'd']],
    ['pea words:whole', ['a', 'b']],
    ['Pea words:whole case:yes', ['b']],
    ['case:yes "green Pea"', ['b']],
    ['-Pea case:yes words:whole', ['a', 'c', 'd', 'e', 'f']],
    ['pea words:whole OR (soup case:no)', ['a', 'b']],
    ['a.b words:whole', ['e']],
    ['cafe words:whole', []],
    ['x -words:whole pea', []],
  ])('%j finds %j', async (query, ids) => {
    const texts = [
      entry('a', 'a pea, and pease'),
      entry('b', 'one green Pea'),
      entry('c', 'peas, and _pea_'),
      entry('d', 'sweetPeas'),
      entry('e', 'a.b and axb'),
      entry('f', 'cafe\u0301'),
    ]
    const search = await searchOver([writeEntries(folder(), 'a.jsonl', texts)])
    for (const isBuilt of [false, true]) {
      if (isBuilt) await search.buildIndex({ all: true })
      expect(await idsOf(search, query)).toEqual(ids)
    }
    await search.close()
  })

  it('are found in titles too, and marked there', async () => {
    const file = writeEntries(folder(), 'a.jsonl', [entry('a', 'nothing')])
    const search = await searchOver([file])
    expect((await search.run('Talk case:yes')).total).toBe(0)
    const { hits } = await search.run('talk case:yes words:whole')
    expect(hits).toMatchObject([{ field: 'title', ranges: [[0, 4]] }])
    expect((await search.run('tal words:whole')).total).toBe(0)
    expect((await search.run('/talk/')).total).toBe(0)
    await search.close()
  })
})

it.each([
  ['has:image', ['image']],
  ['has:attachments', ['file']],
  ['has:error', ['failed']],
  ['has:reasoning', ['thought', 'thinking']],
  ['has:code', ['code']],
  ['has:link', ['link']],
  ['has:reaction', ['reaction']],
  ['has:image OR has:link', ['image', 'link']],
  ['to:shell', ['call']],
  ['to:ZOE -has:image', ['to']],
])('%j asks for what is beside a text', async (query, ids) => {
  const texts: readonly (CorpusEntry & { readonly metadata?: object })[] = [
    { ...entry('image', 'look'), metadata: { images: [{ url: 'data:image/png;base64,AA==' }] } },
    { ...entry('file', 'read'), metadata: { attachments: [{ filename: 'a.pdf' }], images: [] } },
    { ...entry('failed', 'Error: no such file'), entry_type: 'tool_result', from: 'shell' },
    { ...entry('fine', 'no error'), entry_type: 'tool_result', from: 'shell' },
    { ...entry('thought', 'so it is'), metadata: { reasoning: 'hm' } },
    { ...entry('thinking', 'hm'), entry_type: 'reasoning' },
    entry('code', 'see\n```\nx\n```'),
    entry('link', 'at https://example.org/x'),
    { ...entry('reaction', ''), metadata: { reaction: { message_id: 'm', emojis: ['👍'] } } },
    { ...entry('call', '{}'), entry_type: 'tool_call', from: 'garden', to: 'shell' },
    { ...entry('to', 'hello'), to: 'Zoe' },
  ]
  const search = await searchOver([writeEntries(folder(), 'a.jsonl', texts)])
  for (const isBuilt of [false, true]) {
    if (isBuilt) await search.buildIndex({ all: true })
    expect(await idsOf(search, query)).toEqual([...ids].sort())
  }
  await search.close()
})

it('finds a text by a piece that was copied out of the file, with its escapes', async () => {
  const texts = [entry('a', 'a café\nwith "tea"'), entry('b', 'a cafe with tea'), entry('c', '\\n')]
  const search = await searchOver([writeEntries(folder(), 'a.jsonl', texts)])
  for (const isBuilt of [false, true]) {
    if (isBuilt) await search.buildIndex({ all: true })
    expect(await idsOf(search, 'caf\\u00e9\\nwith')).toEqual(['a'])
    expect(await idsOf(search, '\\"tea\\"')).toEqual(['a'])
    expect(await idsOf(search, '\\\\\\"tea\\\\\\"')).toEqual(['a'])
    expect(await idsOf(search, '-"\\n"')).toEqual(['b'])
    expect(await idsOf(search, '\\"Tea\\" case:yes')).toEqual([])
  }
  await search.close()
})

it('finds texts with the escapes that a phrase is typed with, and those that it stands for, never the bare letter', async () => {
  const texts = [
    entry('plain', 'say "hi" at C:\\new'),
    entry('raw', 'say \\"hi\\" at C:\\\\new'),
    entry('lines', 'one\ntwo'),
    entry('escaped', 'one\\ntwo'),
    entry('letter', 'onentwo say hi'),
  ]
  const search = await searchOver([writeEntries(folder(), 'a.jsonl', texts)])
  for (const isBuilt of [false, true]) {
    if (isBuilt) await search.buildIndex({ all: true })
    expect(await idsOf(search, '"say \\"hi\\""')).toEqual(['plain', 'raw'])
    expect(await idsOf(search, 'say \\"hi\\"')).toEqual(['plain', 'raw'])
    expect(await idsOf(search, '"at C:\\\\new"')).toEqual(['plain', 'raw'])
    for (const query of ['one\\ntwo', '"one\\ntwo"', 'one\\ntwo case:yes', 'e\\nt'])
      expect(await idsOf(search, query), query).toEqual(['escaped', 'lines'])
    expect(await idsOf(search, '\\"hi\\" case:yes')).toEqual(['plain', 'raw'])
  }
  await search.close()
})
