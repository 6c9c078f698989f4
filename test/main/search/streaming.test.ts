import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { openSearch } from '../../../src/main/search/search'
import { inlineWorkers } from '../../../src/main/search/workers'
import type { SearchHit } from '../../../src/shared/model/search'
import { conversation, writeEntries } from '../../support/search-corpus'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const folder = tempFolders(memoryFolder)

/** A search over a hundred segments with a hit each, whose scans are counted. */
async function gardens() {
  const entries = Array.from({ length: 100 }, (_, n) => ({
    id: `e${n}`,
    timestamp: 1_700_000_000 + n,
    content: `tulips ${'soil '.repeat(300)}${n}`,
  }))
  const inline = inlineWorkers(nodeDisk, searchDecoders, 1500)
  const scans = { count: 0 }
  const search = openSearch({
    disk: nodeDisk,
    decoders: searchDecoders,
    cacheFolder: `${folder()}/cache`,
    workers: {
      ...inline,
      scan(job, signal) {
        scans.count += 1
        return inline.scan(job, signal)
      },
    },
  })
  const file = writeEntries(folder(), 'a.jsonl', entries)
  await search.update([conversation('a', [file], { title: '' })])
  await search.buildIndex({ all: true })
  return { search, scans }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('waits for who takes the hits before it reads on, and reads little at a time', async () => {
  const { search, scans } = await gardens()
  const told: number[] = []
  const { total, segments } = await search.run('tulips', {
    countAll: true,
    isStreamed: true,
    async found(hits) {
      const before = scans.count
      for (let n = 0; n < 20; n++) await turn()
      expect(scans.count).toBe(before)
      told.push(hits.length)
    },
  })
  expect(total).toBe(100)
  expect(told.reduce((sum, count) => sum + count, 0)).toBe(100)
  expect(segments.total).toBeGreaterThan(24)
  expect(told).toHaveLength(Math.ceil(segments.total / 8))
  await search.close()
})

it('ends early where nobody takes a second hit', async () => {
  const { search, scans } = await gardens()
  const gone = new AbortController()
  const got: SearchHit[] = []
  const { segments, complete } = await search.run('tulips', {
    countAll: true,
    isStreamed: true,
    signal: gone.signal,
    found(hits) {
      got.push(...hits)
      gone.abort()
    },
  })
  expect([scans.count, complete]).toEqual([1, false])
  expect(segments.read).toBeLessThanOrEqual(8)
  expect(segments.total).toBeGreaterThan(24)
  expect(got.length).toBeGreaterThan(0)
  await search.close()
})
