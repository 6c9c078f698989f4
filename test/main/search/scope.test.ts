import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createRandom } from '../../../bench/support/random'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import type { ScanJob } from '../../../src/main/search/scan-job'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { type LibraryKey, libraryKeyOf } from '../../../src/shared/model/conversation/conversation'
import { EntryId } from '../../../src/shared/model/conversation/entry'
import type { HitPlaces, SearchableConversation, SearchHit } from '../../../src/shared/model/search'
import { trialsOf } from '../../support/drawn-alike'
import {
  type CorpusEntry,
  conversation,
  searchFile,
  writeEntries,
} from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)

const words = ['pea', 'bean', 'soil', 'rain', 'Äpfel', '日本']

/** Conversations of which each goes on after some entries of an earlier one, which it repeats. */
function family(seed: number, count: number): readonly (readonly CorpusEntry[])[] {
  const random = createRandom(seed)
  const files: CorpusEntry[][] = []
  for (let c = 0; c < count; c++) {
    const from = files[random.below(Math.max(1, files.length))] ?? []
    const own = Array.from({ length: 4 + random.below(20) }, (_, n): CorpusEntry => {
      const text = Array.from({ length: 1 + random.below(6) }, () => words[random.below(6)])
      const id = `${seed.toString(16).padStart(8, '0')}-0000-4000-8000-${(c * 1000 + n).toString(16).padStart(12, '0')}`
      const kind = random.below(5) === 0 ? { entry_type: 'tool_call', to: 'write' } : {}
      return { id, timestamp: 1_760_000_000 + c * 100 + n, content: text.join(' '), ...kind }
    })
    files.push([...from.slice(0, random.below(from.length + 1)), ...own])
  }
  return files
}

function searchOf(conversations: readonly SearchableConversation[]) {
  const jobs: ScanJob[] = []
  const workers = inlineWorkers(nodeDisk, searchDecoders, 400)
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${folder()}/cache`,
    workers: {
      ...workers,
      scan(job, signal) {
        jobs.push(job)
        return workers.scan(job, signal)
      },
    },
  })
  return { search, jobs, ready: search.update(conversations) }
}

const keyOf = ({ source, key }: { readonly source: string; readonly key: string }) =>
  libraryKeyOf(source, key)

/** The hits that anybody finds without a scope, of entries that the conversations hold. */
function within(hits: readonly SearchHit[], keys: readonly LibraryKey[]): readonly SearchHit[] {
  return hits.filter(
    (hit) =>
      hit.entryId !== null && [hit, ...(hit.also ?? [])].some((one) => keys.includes(keyOf(one))),
  )
}

const entriesIn = (places: readonly HitPlaces[] | undefined) =>
  (places ?? []).flatMap(({ entries }) => entries).sort()

it('finds in a scope what a search of everything finds there, each entry once and all of them counted, with an index and without', async () => {
  const where = folder()
  await fc.assert(
    fc.asyncProperty(
      fc.nat(1_000_000),
      fc.array(fc.nat(7), { minLength: 1, maxLength: 8 }),
      fc.array(fc.constantFrom(...words, 'role:agent', 'type:tool_call', '-rain'), {
        minLength: 1,
        maxLength: 3,
      }),
      fc.boolean(),
      async (seed, picked, terms, isIndexed) => {
        const all = family(seed, 8).map((entries, c) =>
          conversation(
            `c${c}`,
            [writeEntries(where, `${seed}-${c}.jsonl`, entries)],
            // A title with a word: titles are no entries.
            { title: `pea ${c}`, created: 1_760_000_000 + c },
          ),
        )
        const { search, jobs, ready } = searchOf(all)
        await ready
        if (isIndexed) await search.buildIndex({ all: true })
        const query = terms.join(' ')
        const conversations = [...new Set(picked)].map((c) => libraryKeyOf('chibi', `c${c}`))
        const everything = await search.run(query, { limit: 10_000 })
        jobs.length = 0
        const found = await search.run(query, { limit: 2, scope: { conversations } })
        const wanted = within(everything.hits, conversations)
        expect(entriesIn(found.places)).toEqual(wanted.map(({ entryId }) => entryId).sort())
        expect([found.total, found.complete]).toEqual([wanted.length, true])
        expect(found.hits).toHaveLength(Math.min(2, wanted.length))
        for (const { key, source } of found.places ?? [])
          expect(conversations).toContain(keyOf({ source, key }))
        // Nothing else was read.
        const paths = conversations.flatMap(
          (key) => all.find((one) => keyOf(one) === key)?.files.map(({ path }) => path) ?? [],
        )
        for (const { ranges } of jobs)
          for (const range of ranges) expect(paths).toContain(range.of.path)
        expect(found.segments.total).toBeLessThanOrEqual(everything.segments.total)
        await search.close()
      },
    ),
    { numRuns: trialsOf(40) },
  )
})

it('finds one entry alone, with its line, where a scope names it', async () => {
  const entries = [
    { id: 'a', content: 'the needle of a pine' },
    { id: 'b', content: 'a needle and thread' },
  ]
  const file = writeEntries(folder(), 'a.jsonl', entries)
  const { search, ready } = searchOf([conversation('c', [file])])
  await ready
  const conversations = [libraryKeyOf('chibi', 'c')]
  const scope = { conversations, entry: EntryId.parse('b') }
  const { hits, total } = await search.run('needle', { limit: 10, scope })
  expect([hits.map(({ snippet }) => snippet), total]).toEqual([['a needle and thread'], 1])
  expect((await search.run('pine', { scope })).total).toBe(0)
  expect((await search.run('', { scope })).total).toBe(0)
  await search.close()
})

it('finds what a conversation in the scope inherited, and nothing that stands behind it in the same file', async () => {
  const where = folder()
  const shared = [
    { id: 'one', content: 'needle one' },
    { id: 'two', content: 'needle two' },
  ]
  const file = writeEntries(where, 'a.jsonl', [...shared, { id: 'three', content: 'needle three' }])
  const until = writeLengths(shared)
  const child = writeEntries(where, 'b.jsonl', [{ id: 'own', content: 'needle own' }])
  const heirs = [{ source: 'chibi' as const, key: conversation('child', []).key, until }]
  const { search, ready } = searchOf([
    conversation('parent', [], { files: [searchFile(file, { heirs })] }),
    conversation('child', [child]),
  ])
  await ready
  for (const isIndexed of [false, true]) {
    if (isIndexed) await search.buildIndex({ all: true })
    const scope = { conversations: [libraryKeyOf('chibi', 'child')] }
    const { places, total } = await search.run('needle', { scope })
    expect(entriesIn(places)).toEqual(['one', 'own', 'two'])
    expect(total).toBe(3)
  }
  await search.close()
})

function writeLengths(entries: readonly CorpusEntry[]): number {
  const file = writeEntries(folder(), 'length.jsonl', entries)
  return searchFile(file).sizeBytes
}

it('says how far it came when it is ended early, and gives the places so far', async () => {
  const where = folder()
  const files = Array.from({ length: 6 }, (_, n) =>
    writeEntries(
      where,
      `${n}.jsonl`,
      Array.from({ length: 30 }, (__, i) => ({
        id: `${n}-${i}`,
        content: `needle ${'x'.repeat(50)}`,
      })),
    ),
  )
  const { search, ready } = searchOf([conversation('c', files)])
  await ready
  await search.buildIndex({ all: true })
  const stop = new AbortController()
  const found = await search.run('needle', {
    scope: { conversations: [libraryKeyOf('chibi', 'c')] },
    signal: stop.signal,
    progress: () => stop.abort(),
  })
  expect(found.complete).toBe(false)
  expect(entriesIn(found.places)).toHaveLength(found.total)
  expect(found.total).toBeLessThan(180)
  await search.close()
})
