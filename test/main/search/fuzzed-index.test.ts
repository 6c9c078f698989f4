import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { blockingDisk } from '../../../src/main/disk/node/blocking-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import { mutated } from '../../support/fuzz/mutations'
import { playRounds } from '../../support/fuzz/rounds'
import { conversation, writeEntries } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

/** Rounds. By hand: `SKEIN_SEED=random SKEIN_TRIALS=5000 npx vitest run test/main/search/fuzzed-index.test.ts`. */
const usual = 12
const temp = tempFolders(memoryFolder)
/** Small, so that a few kilobytes have dozens of segments. */
const segmentSize = 1500
const words = ['quince', 'gråbær', 'やまぶき', 'e\u0301glantine', 'x9']

it('an index whose files are changed anyhow hides no entry that a search would find without it', async () => {
  const folder = temp()
  const files = [0, 1, 2].map((file) =>
    writeEntries(
      folder,
      `${file}.jsonl`,
      Array.from({ length: 30 }, (_, n) => ({
        id: `e${file}-${n}`,
        content: `${words[(file + n) % words.length]} in bed ${n} of garden ${file}`,
      })),
    ),
  )
  const conversations = files.map((file, n) => conversation(`c${n}`, [file], { title: '' }))
  const disk = blockingDisk()
  const searchIn = async (cacheFolder: string, builds: boolean) => {
    const workers = inlineWorkers(disk, searchDecoders, segmentSize)
    const search = openSearch({ disk, decoders: searchDecoders, cacheFolder, workers })
    await search.update(conversations)
    if (builds) await search.buildIndex({ all: true })
    const found: string[][] = []
    for (const word of words) {
      const { hits, complete } = await search.run(word, { limit: 1000 })
      expect(complete).toBe(true)
      found.push(hits.map(({ entryId }) => String(entryId)).sort())
    }
    await search.eachWord(() => undefined)
    const { parts } = search.indexProgress()
    await search.close()
    return { found, parts }
  }
  const built = temp()
  const { found: whole, parts } = await searchIn(built, true)
  expect(whole.map((ids) => ids.length)).toEqual(words.map(() => 18))
  expect(parts).toBeGreaterThan(0)
  const names = fs
    .readdirSync(built, { recursive: true, encoding: 'utf8' })
    .filter((name) => fs.statSync(path.join(built, name)).isFile())
  expect(names.length).toBeGreaterThan(1)
  await playRounds('index', usual, async (random) => {
    const cache = temp()
    fs.cpSync(built, cache, { recursive: true })
    const how: string[] = []
    for (let times = 1 + random.below(2); times > 0; times--) {
      const name = names[random.below(names.length)] ?? ''
      const next = mutated(random, fs.readFileSync(path.join(cache, name)))
      fs.writeFileSync(path.join(cache, name), next.bytes)
      how.push(`${name}: ${next.how}`)
    }
    try {
      expect((await searchIn(cache, false)).found).toEqual(whole)
      // And with what is built anew.
      expect((await searchIn(cache, true)).found).toEqual(whole)
    } catch (error) {
      if (error instanceof Error) error.message += `\n(${how.join('; ')})`
      throw error
    } finally {
      fs.rmSync(cache, { recursive: true })
    }
  })
})
