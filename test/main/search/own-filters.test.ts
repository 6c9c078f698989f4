import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLibrary } from '../../../src/main/library/library'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { defaultRotationPolicy } from '../../../src/main/store/core/manifest'
import { openStore } from '../../../src/main/store/open-store'
import { anyScript } from '../../support/any-script'
import { drawnRandom, trialsOf } from '../../support/drawn-alike'
import { message } from '../../support/entries'
import { foldPlainly } from '../../support/plain-fold'
import { memoryFolder, tempFolders } from '../../support/temp-folder'
import { watchedDisk } from '../../support/watched-disk'

const temp = tempFolders(memoryFolder)

/** A home whose messages lie in partitions of four. */
async function homeIn(
  folder: string,
  texts: readonly string[],
  bloomFilters = true,
): Promise<string> {
  const home = path.join(folder, 'home')
  let seconds = 1_780_000_000
  const store = openStore({
    home,
    disk: watchedDisk(),
    now: () => seconds * 1000,
    storagePolicy: async () => ({ ...defaultRotationPolicy, maxEntries: 4, bloomFilters }),
  })
  const writer = await store.openWriter('garden', { create: true })
  for (const text of texts) await writer.append(message(text, { timestamp: seconds++ }))
  await writer.close()
  return home
}

/** The home as a copy on another machine, whose files have their times or those of the copying. */
function copied(home: string, preserveTimestamps: boolean): string {
  const copy = path.join(temp(), 'copy')
  fs.cpSync(home, copy, { recursive: true, preserveTimestamps })
  if (preserveTimestamps) return copy
  for (const file of fs.readdirSync(partitionsOf(copy)))
    fs.utimesSync(path.join(partitionsOf(copy), file), 1_790_000_000.5, 1_790_000_000.5)
  return copy
}

const partitionsOf = (home: string) => path.join(home, 'contexts/garden/transcript/partitions')

/** Search over a home by an own process, as it were: nothing is known but what lies on the disk. */
async function searchOver(home: string, cacheFolder: string) {
  let opened: string[] = []
  const disk = watchedDisk({
    before({ name, path: at }) {
      if (name === 'open' && path.dirname(at) === partitionsOf(home)) opened.push(path.basename(at))
    },
  })
  const search = openSearch({
    disk,
    decoders: searchDecoders,
    cacheFolder,
    workers: inlineWorkers(disk, searchDecoders),
  })
  const library = openLibrary({
    disk,
    store: openStore({ home, disk, now: () => 1_790_000_000_000 }),
    shownHome: '~/.chibi',
    isRunning: () => false,
    changed: () => undefined,
    watched: false,
  })
  const conversations = await library.searchables()
  opened = []
  await search.update(conversations)
  return {
    search,
    async texts(query: string) {
      const { hits, complete } = await search.run(query, { limit: 10_000 })
      expect(complete).toBe(true)
      return hits.map(({ entryId }) => entryId).sort()
    },
    /** What was opened of the partitions since it was last asked, and how often. */
    opens(end: string): number {
      return opened.filter((name) => name.endsWith(end)).length
    },
    forget() {
      opened = []
    },
  }
}

const texts = Array.from({ length: 41 }, (_, n) => `row ${n} of word${n}x and café`)

describe('a home without a cache', () => {
  const own = fs.mkdtempSync(path.join(memoryFolder, 'skein-'))
  let usual = ''
  beforeAll(async () => {
    usual = await homeIn(own, texts)
  })
  afterAll(() => fs.rmSync(own, { recursive: true }))

  it('is searched with the filters of its partitions: one is opened, where one holds the word', async () => {
    const home = copied(usual, true)
    const { search, opens, texts: found } = await searchOver(home, path.join(temp(), 'cache'))
    expect([opens('.bloom'), opens('.jsonl')]).toEqual([10, 0])
    expect((await found('word17x')).length).toBe(1)
    expect([opens('.bloom'), opens('.jsonl')]).toEqual([10, 1])
    const { segments } = await search.run('word17x')
    expect(segments).toEqual({ total: 11, read: 2, skipped: 9 })
  })

  it('gets its index from the filters, and no partition is opened for it', async () => {
    const home = copied(usual, true)
    const cache = path.join(temp(), 'cache')
    const first = await searchOver(home, cache)
    expect(await first.search.buildIndex({ all: true })).toBe(true)
    expect([first.opens('.jsonl'), first.search.indexProgress().parts]).toEqual([0, 1])
    expect((await first.texts('word17x')).length).toBe(1)
    const second = await searchOver(home, cache)
    expect((await second.texts('word17x')).length).toBe(1)
    expect([second.opens('.bloom'), second.opens('.jsonl')]).toEqual([0, 1])
  })

  it('whose files have the times of a copy is known by its bytes, once', async () => {
    const home = copied(usual, false)
    const { opens, forget, texts: found } = await searchOver(home, path.join(temp(), 'cache'))
    expect([opens('.bloom'), opens('.jsonl')]).toEqual([10, 10])
    forget()
    expect((await found('word17x')).length).toBe(1)
    expect([opens('.bloom'), opens('.jsonl')]).toEqual([0, 1])
  })

  it.each<[string, (partition: string) => void]>([
    ['has other words of the same length', (file) => rewrite(file, /word1x/g, 'other1')],
    [
      'grew',
      (file) =>
        fs.appendFileSync(file, fs.readFileSync(file, 'utf8').replaceAll('word1x', 'other1')),
    ],
    ['has a damaged filter', (file) => fs.writeFileSync(file.replace('.jsonl', '.bloom'), 'x')],
    ['has no filter', (file) => fs.rmSync(file.replace('.jsonl', '.bloom'))],
    ['is cut', (file) => fs.truncateSync(file, fs.statSync(file).size - 2)],
  ])('finds what stands in a partition that %s', async (_, change) => {
    const home = copied(usual, true)
    const [first = ''] = fs
      .readdirSync(partitionsOf(home))
      .filter((name) => name.endsWith('.jsonl'))
    const partition = path.join(partitionsOf(home), first)
    change(partition)
    const { search, texts: found } = await searchOver(home, path.join(temp(), 'cache'))
    const has = (word: string) => fs.readFileSync(partition, 'utf8').split(word).length - 1
    for (const built of [false, true]) {
      if (built) await search.buildIndex({ all: true })
      expect(
        [await found('word1x'), await found('other1')].map(({ length }) => length > 0),
      ).toEqual([has('word1x') > 0, has('other1') > 0])
    }
  })

  it('where filters are switched off is searched all the same', async () => {
    const home = await homeIn(temp(), texts, false)
    const { opens, texts: found } = await searchOver(home, path.join(temp(), 'cache'))
    expect((await found('word17x')).length).toBe(1)
    expect(opens('.jsonl')).toBe(10)
  })
})

it('finds with the filters of partitions, and with an index that was made of them, what a plain scan finds', async () => {
  const random = drawnRandom(12)
  const writer = anyScript(random)
  const all = Array.from({ length: 60 }, () => writer.text(1 + random.below(14)))
  const home = await homeIn(temp(), all)
  const { search } = await searchOver(home, path.join(temp(), 'cache'))
  const trial = async () => {
    const text = all[random.below(all.length)] ?? ''
    const from = random.below(text.length)
    const part = text.slice(from, from + 1 + random.below(8))
    const { hits } = await search.run(`"${part.replace(/["\\]/g, '\\$&')}"`, { limit: 10_000 })
    const wanted =
      part.trim() === ''
        ? 0
        : ['Context created', ...all].filter((one) => foldPlainly(one).includes(foldPlainly(part)))
            .length
    const found = hits.filter(({ entryId }) => entryId !== null).length
    return [part, wanted === 0 ? 0 : found, wanted]
  }
  const trials = trialsOf(120)
  for (let n = 0; n < trials; n++) {
    if (n === Math.floor(trials / 2)) await search.buildIndex({ all: true })
    const [part, found, wanted] = await trial()
    expect([part, found]).toEqual([part, wanted])
  }
})

function rewrite(file: string, pattern: RegExp, by: string): void {
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(pattern, by))
}
