import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { nodeDisk } from '../../../src/main/disk/node/node-disk'
import { openHomeSearch } from '../../../src/main/home/search'
import { type Library, openLibrary } from '../../../src/main/library/library'
import { searchDecoders } from '../../../src/main/library/sources/search-decoders'
import { inlineWorkers } from '../../../src/main/search/workers'
import { openStore } from '../../../src/main/store/open-store'
import { LibraryKey } from '../../../src/shared/model/conversation/conversation'
import { countingDisk } from '../../support/counting-disk'
import { memoryFolder, tempFolders } from '../../support/temp-folder'

const temp = tempFolders(memoryFolder)

function lineOf(id: string): string {
  const line = { id, timestamp: 1, from: 'user', to: 'garden', content: 'hazel', role: 'user' }
  return `${JSON.stringify({ ...line, entry_type: 'message' })}\n`
}

/** A home with these contexts of an entry each; the library's changes go to the search. */
function opened(names: readonly string[]) {
  const root = temp()
  const home = path.join(root, 'home')
  const fileOf = (name: string) => path.join(home, 'contexts', name, 'transcript/active.jsonl')
  for (const name of names) {
    fs.mkdirSync(path.dirname(fileOf(name)), { recursive: true })
    fs.writeFileSync(fileOf(name), lineOf(name))
  }
  const seen = { lists: 0, told: new Set<string>(), followed: 0 }
  const disk = countingDisk(nodeDisk, (_call, name, folder) => {
    if (name === 'list' && names.some((one) => folder.includes(one))) seen.lists++
  })
  const library = openLibrary({
    disk,
    store: openStore({ home, disk }),
    shownHome: '~/home',
    watched: false,
    isRunning: () => false,
    changed(change) {
      for (const { key } of change.conversations) seen.told.add(key)
      search.changed(change)
    },
  })
  const search = openHomeSearch({
    disk,
    // As the search has it: a test may have it find what a scan found before.
    library: {
      searchables: library.searchables,
      searchable: library.searchable,
      searchableAsFound: (key) => seenBefore.get(key) ?? library.searchableAsFound(key),
    },
    cacheFolder: path.join(root, 'cache'),
    workers: inlineWorkers(disk, searchDecoders),
    tellIndex({ building }) {
      if (!building) seen.followed++
    },
    note: (words) => expect.unreachable(words),
  })
  const seenBefore = new Map<string, ReturnType<Library['searchable']>>()
  const close = async () => {
    await search.close()
    await library.close()
  }
  return { library, search, seen, seenBefore, fileOf, close }
}

it('asks the disk for none of the conversations of which the library has just told that they are counted', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `talk-${n}`)
  const { library, search, seen, close } = opened(names)
  await library.list(undefined, 50)
  search.buildInBackground()
  await expect.poll(() => seen.followed).toBe(1)
  const { lists } = seen
  expect(lists).toBeGreaterThanOrEqual(names.length)

  await library.countAll(1_000_000, new AbortController().signal)
  await expect.poll(() => seen.followed).toBeGreaterThan(1)

  expect(seen.told.size).toBe(names.length)
  expect(seen.lists).toBe(lists)
  const { hits } = await search.query('hazel', { limit: 100 })
  expect(hits.length).toBe(names.length)
  await close()
})

it('finds what was appended also where the library tells of what it had found before', async () => {
  const { library, search, seenBefore, fileOf, close } = opened(['talk'])
  const key = LibraryKey.parse('talk')
  const hits = async () => (await search.query('hazel', { limit: 100 })).hits.length
  expect(await hits()).toBe(1)
  const before = await library.searchable(key)
  fs.appendFileSync(fileOf('talk'), lineOf('second'))
  expect(await hits()).toBe(2)

  seenBefore.set(key, Promise.resolve(before))
  const row = await library.find(key)
  search.changed({ conversations: row === undefined ? [] : [row], gone: [] })

  expect(await hits()).toBe(2)
  await close()
})
