import { expect, it } from 'vitest'
import type { Random } from '../../../bench/support/random'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch, type Search } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import type { SearchOrder } from '../../../src/shared/model/search'
import { drawnRandom, trialsOf } from '../../support/drawn-alike'
import { type CorpusEntry, conversation, writeEntries } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)

/** Small, so that a corpus of a few kilobytes has dozens of segments. */
const segmentSize = 1500

/** A text that can be a hit, as the naive order sees it: with its conversation's time where it has none of its own. */
interface Text {
  readonly name: string
  readonly text: string
  readonly kind: number
  readonly time: number
  readonly key: string
  readonly line: number
}

const words = ['pea', 'peas', 'bean', 'tulip', 'tulips', 'rain']
const fillers = ['', ' and some more ', ` ${'x '.repeat(45)}`, ` ${'y '.repeat(600)}`]
/** Kinds of entries, the best first behind titles. */
const kinds: readonly Partial<CorpusEntry>[] = [
  { entry_type: 'message', role: 'user' },
  { entry_type: 'message', role: 'agent' },
  { entry_type: 'tool_call', from: 'garden', to: 'shell' },
  { entry_type: 'tool_result', from: 'shell' },
]

async function drawCorpus(random: Random): Promise<{ search: Search; texts: readonly Text[] }> {
  const pick = <T>(list: readonly T[]) => list[random.below(list.length)] as T
  const texts: Text[] = []
  const conversations = Array.from({ length: 6 }, (_, n) => {
    const key = `c${n}`
    const updated = 1_700_000_000 + random.below(50) * 1000
    const title = random.below(2) === 0 ? pick(words) : 'garden'
    texts.push({ name: `${key} title`, text: title, kind: 0, time: updated, key, line: 0 })
    const entries = Array.from({ length: 5 + random.below(12) }, (_, at): CorpusEntry => {
      const kind = random.below(kinds.length)
      const said = Array.from({ length: 1 + random.below(4) }, () => pick(words)).join(
        random.below(2) === 0 ? ' ' : pick(fillers),
      )
      const timestamp = random.below(4) === 0 ? null : 1_700_000_000 + random.below(50) * 1000
      const id = `e${n}-${at}`
      const isCall = kinds[kind]?.entry_type === 'tool_call'
      texts.push({
        name: id,
        text: said,
        kind: kind + 1,
        time: timestamp ?? updated,
        key,
        line: at + 1,
      })
      const content = isCall ? JSON.stringify({ say: said }) : said
      return { id, timestamp, content, ...kinds[kind] }
    })
    return conversation(key, [writeEntries(folder(), `${n}.jsonl`, entries)], { title, updated })
  })
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${folder()}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders, segmentSize),
  })
  await search.update(conversations)
  return { search, texts }
}

/** All beginnings of a word in a text. */
function beginnings(text: string, word: string): readonly number[] {
  return [...text].flatMap((_, at) => (text.startsWith(word, at) ? [at] : []))
}

/** How good a text is, by what docs/command-line.md says, as numbers of which the higher is better: first the first. */
function goodness({ text, kind }: Text, asked: readonly string[]): readonly number[] {
  const places = asked.map((word) => beginnings(text, word)).filter((of) => of.length > 0)
  const whole = asked.filter((word) => text.split(/[^a-z]+/).includes(word)).length
  // Every way to take one beginning of each word.
  let ways: readonly (readonly number[])[] = [[]]
  for (const of of places) ways = ways.flatMap((way) => of.map((at) => [...way, at]))
  const nearest = Math.min(
    ...ways.map((way) => (way.length === 0 ? 0 : Math.max(...way) - Math.min(...way))),
  )
  const near = nearest <= 20 ? 3 : nearest <= 100 ? 2 : nearest <= 1000 ? 1 : 0
  return [places.length, whole, near, -kind]
}

function naiveOrder(
  texts: readonly Text[],
  asked: readonly string[],
  isAny: boolean,
  order: SearchOrder,
): readonly string[] {
  const hits = texts.filter(({ text }) =>
    isAny ? asked.some((word) => text.includes(word)) : asked.every((word) => text.includes(word)),
  )
  const numbersOf = (text: Text) => {
    if (order === 'newest') return [text.time]
    if (order === 'oldest') return [-text.time]
    return [...goodness(text, asked), text.time]
  }
  return [...hits]
    .sort((a, b) => {
      const [left, right] = [numbersOf(a), numbersOf(b)]
      for (const [n, number] of left.entries()) {
        const other = right[n] ?? 0
        if (number !== other) return other - number
      }
      return a.key < b.key ? -1 : a.key > b.key ? 1 : a.line - b.line
    })
    .map(({ name }) => name)
}

it('is what a naive sort of all hits gives, for any corpus, order and limit, with and without an index', async () => {
  const random = drawnRandom(72)
  const queriesOfCorpus = 24
  for (let done = 0; done < trialsOf(120); done += queriesOfCorpus) {
    const { search, texts } = await drawCorpus(random)
    for (let trial = 0; trial < queriesOfCorpus; trial++) {
      if (trial === queriesOfCorpus / 2) await search.buildIndex({ all: true })
      const asked = words.filter(() => random.below(3) === 0).slice(0, 3)
      if (asked.length === 0) continue
      const isAny = random.below(2) === 0
      const query = asked.join(isAny ? ' OR ' : ' ')
      for (const order of ['newest', 'oldest', 'best'] as const) {
        const limit = 1 + random.below(12)
        const found: string[] = []
        const { hits, complete, total } = await search.run(query, { order, limit })
        for (const { entryId, key } of hits) found.push(entryId ?? `${key} title`)
        const wanted = naiveOrder(texts, asked, isAny, order)
        expect(found, `${query} ${order} ${limit}`).toEqual(wanted.slice(0, limit))
        if (order === 'best') expect([complete, total]).toEqual([true, wanted.length])
        expect(
          hits.every(({ relevance }) => (relevance !== undefined) === (order === 'best')),
        ).toBe(true)
      }
    }
    await search.close()
  }
})

/** A search over many segments, of which each has a hit, an hour newer than the one before. */
async function gardens() {
  const entries = Array.from({ length: 60 }, (_, n) => ({
    id: `e${n}`,
    timestamp: 1_700_000_000 + n * 3600,
    content: `tulips ${'soil '.repeat(200)}${n}`,
  }))
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${folder()}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders, segmentSize),
  })
  const file = writeEntries(folder(), 'a.jsonl', entries)
  await search.update([conversation('a', [file], { title: '' })])
  await search.buildIndex({ all: true })
  return search
}

it('by the oldest reads as little as by the newest', async () => {
  const search = await gardens()
  const newest = await search.run('tulips', { limit: 3 })
  const oldest = await search.run('tulips', { limit: 3, order: 'oldest' })
  expect(newest.hits.map(({ entryId }) => entryId)).toEqual(['e59', 'e58', 'e57'])
  expect(oldest.hits.map(({ entryId }) => entryId)).toEqual(['e0', 'e1', 'e2'])
  expect(newest.segments.read).toBeLessThan(newest.segments.total)
  expect(oldest.segments.read).toBe(newest.segments.read)
  expect(oldest.complete).toBe(false)
  await search.close()
})

it('by the best ends after so many hits, and is not complete then; counting all reads on', async () => {
  const search = await gardens()
  const some = await search.run('tulips', { limit: 3, order: 'best', mostCompared: 10 })
  expect(some.complete).toBe(false)
  expect(some.total).toBeGreaterThanOrEqual(10)
  expect(some.total).toBeLessThan(60)
  const all = await search.run('tulips', {
    limit: 3,
    order: 'best',
    mostCompared: 10,
    countAll: true,
  })
  expect([all.complete, all.total]).toEqual([true, 60])
  await search.close()
})

it('puts the oldest copy of an entry where the order is the oldest first', async () => {
  const id = '0a0b0c0d-0000-4000-8000-000000000001'
  const copy = { id, timestamp: null, content: 'tulips' }
  const other = { id: 'other', timestamp: 1500, content: 'more tulips' }
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${folder()}/cache`,
    workers: inlineWorkers(nodeDisk, searchDecoders, segmentSize),
  })
  await search.update([
    conversation('a', [writeEntries(folder(), 'a.jsonl', [copy, other])], {
      title: '',
      updated: 2000,
    }),
    conversation('b', [writeEntries(folder(), 'b.jsonl', [copy])], { title: '', updated: 1000 }),
  ])
  const idsBy = async (order: SearchOrder) =>
    (await search.run('tulips', { order })).hits.map(({ entryId }) => entryId)
  expect(await idsBy('newest')).toEqual([id, 'other'])
  expect(await idsBy('oldest')).toEqual([id, 'other'])
  await search.close()
})
